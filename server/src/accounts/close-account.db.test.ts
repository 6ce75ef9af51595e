import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import {
  credentialOf,
  makeAccount,
  makeKey,
  makeListing,
  makeSession,
  PLAN_BOOK,
  type TestAccount,
} from '../../testing/factories.ts';
import { writeListings } from '../../testing/outdated-copies.ts';
import { createMeteredCalls, type MeteredCalls } from '../../testing/plans/metered-calls.ts';
import { answer, answerWhenReleased } from '../../testing/stand-ins/stand-in-backend.ts';
import { untilBlocked } from '../../testing/until-blocked.ts';
import { authenticate } from '../access/callers/authenticate.ts';
import { listAccounts, requireAccountByName } from '../access/callers/require-account.ts';
import { lockCredential } from '../access/callers/session.ts';
import { grant } from '../billing/ledger/grant-and-adjust.ts';
import { verifyLedger } from '../billing/ledger/verify.ts';
import { accountKey } from '../catalog/registry-keys.ts';
import { lockKeys } from '../catalog/registry-locks.ts';
import { chooseHandle } from '../ownership/handles/choose-handle.ts';
import type { Database } from '../platform/database/connect.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { hashSecret } from '../platform/http/credentials/secret.ts';
import { createAccount, deleteAccount, resumeAccount, suspendAccount } from './account-lifecycle.ts';
import { createSignInLink, redeemSignInLink } from './sign-in/sign-in-link.ts';

let test: TestDatabase;
let database: Database;
let calls: MeteredCalls;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 15 });
  database = test.database;
  calls = await createMeteredCalls(database);
});
beforeEach(() => calls.backend.behave(answer));
afterAll(() => test.close());

function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'not refused',
    (error) => error.code ?? Promise.reject(error),
  );
}

const sessionOf = (token: string) => ({ kind: 'session', hash: hashSecret(token) }) as const;

describe('a suspended account', () => {
  it('cannot use its keys and sessions until it is resumed', async () => {
    const { accountId, key } = await makeAccount(database);
    const { token } = await makeSession(database, accountId);
    for (let i = 0; i < 2; i++) await suspendAccount(database, accountId);

    expect(await calls.call(key)).toBe('key_paused');
    expect(await refusal(authenticate(database, credentialOf(key), 'agents:register'))).toBe('key_paused');
    expect(await refusal(authenticate(database, sessionOf(token), null))).toBe('key_paused');
    expect(await refusal(makeKey(database, accountId))).not.toBe('not refused');

    for (let i = 0; i < 2; i++) await resumeAccount(database, accountId);
    expect(await calls.call(key)).toBe('free');
    expect(await refusal(authenticate(database, sessionOf(token), null))).toBe('not refused');
  });

  it('is charged for the call in progress, and for none after it', async () => {
    const { accountId, key } = await makeAccount(database);
    const asked = answerWhenReleased();
    calls.backend.behave(asked.behaviour);
    const underWay = calls.call(key);
    await asked.once;

    await suspendAccount(database, accountId);

    expect(await calls.call(key)).toBe('key_paused');
    asked.tell();
    expect(await underWay).toBe('free');
  });
});

describe('a deleted account', () => {
  async function makeDeleted(): Promise<TestAccount & { token: string; link: string }> {
    const account = await makeAccount(database);
    await calls.call(account.key);
    const { token } = await makeSession(database, account.accountId);
    const link = await createSignInLink(database, account.accountId);
    await deleteAccount(database, calls.backend, account.accountId);
    return { ...account, token, link };
  }

  it('accepts no access: keys are revoked, sessions ended, sign-in links invalid, and it gets no key or credit', async () => {
    const { accountId, key, token, link } = await makeDeleted();

    expect(await calls.call(key)).toBe('key_revoked');
    expect(await refusal(authenticate(database, sessionOf(token), null))).toBe('unauthorized');
    expect(await refusal(redeemSignInLink(database, link))).toBe('unauthorized');
    expect(await refusal(makeKey(database, accountId))).toBe('invalid_request');
    const credits = { accountId, source: 'gifted', credits: 5, months: 1, note: '' } as const;
    expect(await refusal(grant(database, credits))).toBe('not_found');
    expect(await refusal(suspendAccount(database, accountId))).toBe('invalid_request');
    expect(await refusal(resumeAccount(database, accountId))).toBe('invalid_request');
    expect(await refusal(deleteAccount(database, calls.backend, accountId))).toBe('invalid_request');
  });

  it('keeps its receipts and frees its handle', async () => {
    const { accountId, handle } = await makeDeleted();

    const receipts = await database.query('SELECT state FROM usage_run WHERE account_id = $1', [accountId]);
    expect(receipts).toEqual([{ state: 'settled' }]);
    expect(await requireAccountByName(database, accountId)).toMatchObject({
      handle: `deleted-${accountId}`,
      state: 'deleted',
      activeKeys: 0,
    });
    expect((await listAccounts(database)).map(({ id }) => id)).not.toContain(accountId);
    expect((await listAccounts(database, { deleted: true })).map(({ id }) => id)).toContain(accountId);
    expect(await refusal(createAccount(database, PLAN_BOOK, { handle, plan: 'free' }))).toBe('not refused');
    const taken = { handle: `deleted-${accountId.toUpperCase()}`, plan: 'free' };
    expect(await refusal(createAccount(database, PLAN_BOOK, taken))).toBe('invalid_request');
    expect((await verifyLedger(database)).bad).toEqual([]);
  });

  it('loses the flags that depended on its proofs, and its creator has no owner', async () => {
    const account = await makeAccount(database);
    const listing = await makeListing(database);
    const owner = listing.repository.split('/')[0];
    await database.query(
      `INSERT INTO linked_account (id, account_id, kind, host, handle, proved_at, proved_by, checked_at, check_due_at)
       VALUES (gen_random_uuid(), $1, 'repo_host', 'github.com', $2, ledger_now(), 'operator', ledger_now(), ledger_now())`,
      [account.accountId, owner],
    );
    await database.query('UPDATE creator SET account_id = $1, verified = true WHERE subject_id = $2', [
      account.accountId,
      listing.creatorId,
    ]);
    await writeListings(database, 'UPDATE listing SET verified = true WHERE subject_id = $1', [
      listing.subjectId,
    ]);

    await deleteAccount(database, calls.backend, account.accountId);

    expect(
      await database.query(
        `SELECT c.account_id, c.verified, l.verified AS listed, (SELECT count(*)::int FROM proved_account) AS proofs
         FROM creator c JOIN listing l ON l.creator_id = c.subject_id WHERE c.subject_id = $1`,
        [listing.creatorId],
      ),
    ).toEqual([{ account_id: null, verified: false, listed: false, proofs: 0 }]);
  });

  it('waits for a registration in progress, and none starts after it', async () => {
    const { accountId, key } = await makeAccount(database);
    const principal = await authenticate(database, credentialOf(key), 'agents:register');
    const order: string[] = [];

    let deleting: Promise<unknown> = Promise.resolve();
    await inTransaction(database, async (connection) => {
      await lockCredential(connection, principal);
      deleting = deleteAccount(database, calls.backend, accountId).then(() => order.push('deleted'));
      await untilBlocked(database, deleting);
      order.push('written');
    });
    await deleting;

    expect(order).toEqual(['written', 'deleted']);
    const late = inTransaction(database, (connection) => lockCredential(connection, principal));
    expect(await refusal(late)).toBe('key_revoked');
  });

  it('waits for a request in progress that then locks the account’s part of the registry', async () => {
    const { accountId } = await makeAccount(database);
    const { sessionId } = await makeSession(database, accountId);

    let deleting: Promise<unknown> = Promise.resolve();
    await inTransaction(database, async (connection) => {
      await lockCredential(connection, { accountId, keyId: null, sessionId, scopes: [] });
      deleting = deleteAccount(database, calls.backend, accountId);
      await untilBlocked(database, deleting);
      // So that the request would find a deadlock, and fail.
      await connection.query("SET LOCAL deadlock_timeout = '1ms'");
      await lockKeys(connection, [accountKey(accountId)]);
    });
    await deleting;

    expect(await requireAccountByName(database, accountId)).toMatchObject({ state: 'deleted' });
  });

  it('waits for the choice of a handle that has locked the account’s session', async () => {
    const { accountId } = await makeAccount(database);
    const { sessionId } = await makeSession(database, accountId);
    const principal = { accountId, keyId: null, sessionId, scopes: [] };

    let attempts = 0;
    let deleting: Promise<unknown> = Promise.resolve();
    await chooseHandle(database, calls.backend, {
      accountId,
      handle: 'Chosen-at-last',
      async lockRecentSignIn(connection) {
        attempts += 1;
        await lockCredential(connection, principal);
        if (attempts > 1) return;
        deleting = deleteAccount(database, calls.backend, accountId);
        await untilBlocked(database, deleting);
        await connection.query("SET LOCAL deadlock_timeout = '1ms'");
      },
    });
    await deleting;

    expect(attempts).toBe(1);
  });
});
