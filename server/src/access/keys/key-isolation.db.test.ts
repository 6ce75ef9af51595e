import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeAccount, makeKey, PLAN_BOOK } from '../../../testing/factories.ts';
import type { Database } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { createKey } from './create-key.ts';
import { saveRevoked } from './key.queries.ts';
import { listKeys } from './list-keys.ts';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
});
afterAll(() => test.close());

describe('a key', () => {
  it('is revoked by its own account only, once, and the time never changes', async () => {
    const [owner, other] = [await makeAccount(database), await makeAccount(database)];
    const revokedAt = () => database.query('SELECT revoked_at FROM access_key WHERE id = $1', [owner.key.id]);

    expect(await saveRevoked(database, other.accountId, owner.key.id)).toBe(false);
    expect(await revokedAt()).toEqual([{ revoked_at: null }]);
    expect(await saveRevoked(database, owner.accountId, owner.key.id.toUpperCase())).toBe(true);
    const [first] = await revokedAt();
    expect(await saveRevoked(database, owner.accountId, owner.key.id)).toBe(false);
    expect(await revokedAt()).toEqual([first]);
  });

  it('is listed to its own account only, and never with its secret or hash', async () => {
    const [owner, other] = [await makeAccount(database), await makeAccount(database)];

    const listed = await listKeys(database, owner.accountId);

    expect(listed.map(({ id }) => id)).toEqual([owner.key.id]);
    expect(Object.keys(listed[0] ?? {}).filter((name) => /hash|secret/.test(name))).toEqual([]);
    expect((await listKeys(database, other.accountId)).map(({ id }) => id)).toEqual([other.key.id]);
  });

  it('counts only towards the limit of its own account', async () => {
    const busy = await makeAccount(database, { plan: 'pro' });
    for (let i = 0; i < 3; i++) await makeKey(database, busy.accountId);

    await expect(makeAccount(database)).resolves.toMatchObject({ key: { id: expect.any(String) } });
  });

  it('cannot be created by an expired session, and belongs to the session’s account', async () => {
    const { accountId } = await makeAccount(database, { plan: 'pro' });
    const [live, over] = await database.query<{ id: string }>(
      `INSERT INTO session (id, account_id, token_hash, opened_by, expires_at)
       SELECT gen_random_uuid(), $1, sha256(gen_random_uuid()::text::bytea), 'sign_in', ledger_now() + life
       FROM unnest(ARRAY[interval '1 hour', interval '-1 second']) AS life RETURNING id`,
      [accountId],
    );
    const input = { name: 'n', scopes: ['scores:read'], expiresAt: null };

    const refused = createKey(database, PLAN_BOOK, { ...input, sessionId: over?.id ?? '' });
    await expect(refused).rejects.toMatchObject(
      new DomainError('unauthorized', 'The session is unknown or has ended. Sign in again.'),
    );
    const made = await createKey(database, PLAN_BOOK, { ...input, sessionId: live?.id ?? '' });
    expect((await listKeys(database, accountId)).map(({ id }) => id)).toContain(made.id);
  });
});
