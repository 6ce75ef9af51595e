import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { credentialOf, makeAccount, makeKey, PLAN_BOOK } from '../../../testing/factories.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import { withOperatorSession } from '../../accounts/sign-in/sign-in-link.ts';
import type { Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { hashSecret } from '../../platform/http/credentials/secret.ts';
import { authenticate } from '../callers/authenticate.ts';
import { lockCredential } from '../callers/session.ts';
import { createKey } from './create-key.ts';
import { saveRevoked } from './key.queries.ts';
import { listKeys } from './list-keys.ts';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 15 });
  database = test.database;
});
afterAll(() => test.close());

async function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'not refused',
    (error) => (error instanceof DomainError ? error.code : Promise.reject(error)),
  );
}

describe('creating a key', () => {
  it('stores the hash and the last four characters, but not the secret', async () => {
    const { accountId, key } = await makeAccount(database);

    const [row] = await database.query<{ key_hash: Buffer; last_four: string; session_id: string }>(
      'SELECT * FROM access_key WHERE account_id = $1',
      [accountId],
    );

    expect(row?.key_hash.equals(hashSecret(key.secret))).toBe(true);
    expect(row?.last_four).toBe(key.secret.slice(-4));
    expect(row?.session_id).toBeTruthy();
    const everything = await database.query('SELECT to_json(k)::text AS text FROM access_key k');
    expect(JSON.stringify(everything)).not.toContain(key.secret.slice(9, 30));
  });

  it('for a free account creates one key under concurrent requests', async () => {
    const { accountId, key } = await makeAccount(database);
    await saveRevoked(database, accountId, key.id);

    for (let round = 0; round < 10; round++) {
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, () => refusal(makeKey(database, accountId))),
      );
      expect(outcomes.filter((outcome) => outcome === 'not refused')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'key_limit_reached')).toHaveLength(9);
      await database.query('UPDATE access_key SET revoked_at = ledger_now() WHERE account_id = $1', [
        accountId,
      ]);
    }
  });

  it('does not count expired or paused keys towards the limit', async () => {
    const { accountId, key } = await makeAccount(database);
    await database.query('UPDATE access_key SET expires_at = ledger_now() WHERE id = $1', [key.id]);
    const second = await makeKey(database, accountId);
    await database.query('UPDATE access_key SET paused_at = ledger_now() WHERE id = $1', [second.id]);

    expect(await refusal(makeKey(database, accountId))).toBe('not refused');
    expect((await listKeys(database, accountId)).map(({ state }) => state)).toEqual([
      'active',
      'inactive',
      'expired',
    ]);
  });

  it('needs an active session and valid scopes', async () => {
    const { accountId } = await makeAccount(database, { plan: 'pro' });
    let ended = '';
    await withOperatorSession(database, accountId, async (sessionId) => {
      ended = sessionId;
    });

    const input = { sessionId: ended, name: 'late', scopes: ['scores:read'], expiresAt: null };
    expect(await refusal(createKey(database, PLAN_BOOK, input))).toBe('unauthorized');
    for (const scopes of [[], ['mcp:invoke'], ['scores:read', 'everything']]) {
      expect(await refusal(Promise.resolve().then(() => makeKey(database, accountId, { scopes })))).toBe(
        'invalid_request',
      );
    }
  });
});

describe('a new key', () => {
  it.each([
    ['an empty name', { name: '' }],
    ['a blank name', { name: '   ' }],
    ['a name that would act on a terminal', { name: 'a\u001b[2Jb' }],
    ['a name with NUL', { name: 'a\u0000b' }],
    ['a name too long', { name: 'x'.repeat(101) }],
    ['an expiry that is no moment', { expiresAt: 'tomorrow' }],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }],
    ['an expiry in the year 0', { expiresAt: '0000-01-01T00:00:00Z' }],
    ['an expiry before it', { expiresAt: '0000-01-01T00:00:00+12:00' }],
    ['an expiry in the year 10000', { expiresAt: '9999-12-31T23:59:59-12:00' }],
    ['an expiry without a zone', { expiresAt: '2099-01-01T00:00:00' }],
  ])('is refused with %s', async (_what, changes) => {
    const { accountId } = await makeAccount(database, { plan: 'pro' });
    const input = { name: 'x', scopes: ['scores:read'], expiresAt: null, ...changes };

    const made = withOperatorSession(database, accountId, async (sessionId) =>
      createKey(database, PLAN_BOOK, { sessionId, ...input }),
    );

    expect(await refusal(made)).toBe('invalid_request');
  });
});

describe('a credential', () => {
  it('is found by its hash, with its scopes', async () => {
    const { accountId, key } = await makeAccount(database);

    expect(await authenticate(database, credentialOf(key), 'scores:read')).toMatchObject({
      accountId,
      keyId: key.id,
    });
  });

  it.each([
    ['revoked_at = ledger_now()', 'key_revoked'],
    ['expires_at = ledger_now()', 'key_expired'],
    ['paused_at = ledger_now()', 'key_paused'],
    ["scopes = '{lineage:read}'", 'insufficient_scope'],
  ])('with %s is refused', async (change, code) => {
    const { key } = await makeAccount(database);
    await database.query(`UPDATE access_key SET ${change} WHERE id = $1`, [key.id]);

    expect(await refusal(authenticate(database, credentialOf(key), 'scores:read'))).toBe(code);
  });

  it('cannot be revoked while it is locked, and cannot be locked once it is revoked', async () => {
    const { accountId, key } = await makeAccount(database);
    const principal = await authenticate(database, credentialOf(key), 'scores:read');
    const order: string[] = [];

    let revoking: Promise<unknown> = Promise.resolve();
    await inTransaction(database, async (connection) => {
      await lockCredential(connection, principal);
      revoking = saveRevoked(database, accountId, key.id).then(() => order.push('revoked'));
      await untilBlocked(database, revoking);
      order.push('written');
    });
    await revoking;

    expect(order).toEqual(['written', 'revoked']);
    expect(
      await refusal(inTransaction(database, (connection) => lockCredential(connection, principal))),
    ).toBe('key_revoked');
  });
});
