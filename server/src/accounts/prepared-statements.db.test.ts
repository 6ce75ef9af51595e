import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { makeAccount, makeSession, PLAN_BOOK } from '../../testing/factories.ts';
import { endPresentedSession } from '../access/callers/session.ts';
import { createKey } from '../access/keys/create-key.ts';
import { pauseOwnKey, resumeOwnKey, revokeOwnKey } from '../access/keys/own-keys.ts';
import { removeAllLinks } from '../ownership/proofs/link-account.ts';
import { saveConfirmedLink, saveGoodCheck } from '../ownership/proofs/linked-account.queries.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { hashSecret } from '../platform/http/credentials/secret.ts';
import { saveDeletion } from './account-changes.queries.ts';
import { resumeAccount, suspendAccount } from './account-lifecycle.ts';
import { saveProviderLink } from './sign-in/sign-in.queries.ts';
import { beginAttempt, newAttemptToken } from './sign-in/sign-in-attempt.ts';
import { addIdentity } from './sign-in/sign-in-identity.ts';

let test: TestDatabase;
const texts = new Set<string>();

beforeAll(async () => {
  test = await createTestDatabase();
  const send = pg.Client.prototype.query as (...call: unknown[]) => unknown;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...call: unknown[]) {
    const [first] = call as (string | { text: string })[];
    texts.add(typeof first === 'object' ? first.text : String(first));
    return send.apply(this, call);
  } as never);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await test.close();
});

/**
 * Performs all writes of accounts, keys, sessions, links and sign-ins, with `mark` in every value that a caller
 * chooses.
 */
async function writeEverything(mark: string): Promise<void> {
  const { database } = test;
  const { accountId } = await makeAccount(database, { plan: 'pro' });
  const { sessionId, token } = await makeSession(database, accountId);
  const expiresAt = `203${mark}-01-01T00:00:00Z`;
  const key = await createKey(database, PLAN_BOOK, {
    sessionId,
    name: mark,
    scopes: ['scores:read'],
    expiresAt,
  });
  await pauseOwnKey(database, sessionId, key.id);
  await resumeOwnKey(database, PLAN_BOOK, sessionId, key.id);
  await revokeOwnKey(database, sessionId, key.id);
  const link = { accountId, kind: 'social', host: `${mark}.example`, handle: mark } as const;
  const linkId = randomUUID();
  await saveConfirmedLink(database, { ...link, id: linkId, evidenceUrl: `https://${mark}.example` });
  const found = {
    handle: mark,
    hostAccountId: mark,
    createdAt: `202${mark}-01-01T00:00:00Z`,
    codePlace: null,
  };
  await saveGoodCheck(database, linkId, 'operator', found);
  await saveProviderLink(database, { ...link, id: randomUUID(), handle: `${mark}-too` });
  await inTransaction(database, (connection) => removeAllLinks(connection, accountId));
  await addIdentity(database, accountId, { issuer: `https://${mark}.example`, subject: mark });
  await beginAttempt(database, newAttemptToken(), { provider: 'oidc', nextPath: `/${mark}` });
  await suspendAccount(database, accountId);
  await resumeAccount(database, accountId);
  await endPresentedSession(database, { kind: 'session', hash: hashSecret(token) });
  await saveDeletion(database, accountId);
}

it('writes with constant statement texts, so that sessions reuse prepared statements', async () => {
  await writeEverything('1');
  const known = new Set(texts);
  texts.clear();

  await writeEverything('2');

  const bound = [...texts].filter((text) => text.includes('$1'));
  expect(bound.length).toBeGreaterThan(20);
  expect(bound.filter((text) => !known.has(text))).toEqual([]);
});
