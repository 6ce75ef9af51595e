import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeAccount, makeKey, makeSession, PLAN_BOOK } from '../../../testing/factories.ts';
import { refusal } from '../../../testing/operations/operation-harness.ts';
import type { Database } from '../../platform/database/connect.ts';
import { endSession } from '../callers/session.ts';
import { issueKey, type KeyRequest } from './keys.handlers.ts';
import { readKeys } from './list-keys.ts';
import { pauseOwnKey, resumeOwnKey, revokeOwnKey } from './own-keys.ts';

let test: TestDatabase;
let database: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
});
afterAll(() => test.close());

async function person(plan = 'builder') {
  const account = await makeAccount(database, { plan });
  const { sessionId } = await makeSession(database, account.accountId);
  const wish = (changes: Partial<KeyRequest> = {}) =>
    issueKey(database, PLAN_BOOK, {
      sessionId,
      name: null,
      scopes: ['scores:read'],
      expiresAt: null,
      replacesKeyId: null,
      ...changes,
    });
  return { ...account, plan, sessionId, wish };
}

const list = (account: { accountId: string; plan: string }, question: object = {}) =>
  readKeys(database, PLAN_BOOK, account, { state: null, cursor: null, limit: 20, ...question });

describe('a key requested in the console', () => {
  it('is listed as it was returned, without its secret', async () => {
    const { wish, ...account } = await person();

    const { secret, record } = await wish({ name: 'nightly job' });

    const { keys } = await list(account);
    expect(keys[0]).toEqual(record);
    expect(record).toMatchObject({ name: 'nightly job', state: 'active', last_four: secret.slice(-4) });
    expect(JSON.stringify(keys)).not.toContain('svc_live_');
  });

  it('needs scopes unless it replaces a key, whose scopes and name it inherits', async () => {
    const { wish, key } = await person('free');

    expect(await refusal(wish({ scopes: null }))).toBe('invalid_request');
    expect(await refusal(wish({ replacesKeyId: key.id }))).toBe('invalid_request');
    expect(await refusal(wish())).toBe('key_limit_reached');
    const { record } = await wish({ scopes: null, replacesKeyId: key.id });
    expect(record).toMatchObject({
      name: 'test',
      scopes: ['scores:read', 'lineage:read', 'agents:register', 'balance:read'],
    });
  });

  it('needs a session opened in the last 15 minutes; otherwise a replaced key remains', async () => {
    const { wish, sessionId, key, ...account } = await person();
    await database.query(
      "UPDATE session SET created_at = ledger_now() - interval '16 minutes' WHERE id = $1",
      [sessionId],
    );

    expect(await refusal(wish())).toBe('sign_in_again');
    expect(await refusal(wish({ scopes: null, replacesKeyId: key.id }))).toBe('sign_in_again');
    expect((await list(account)).keys.map(({ state }) => state)).toEqual(['active']);
  });
});

describe('a change of a key in the console', () => {
  it('returns the changed key and is idempotent', async () => {
    const { sessionId, key } = await person();
    const states: string[] = [];
    for (const change of [
      pauseOwnKey,
      pauseOwnKey,
      (...of: [Database, string, string]) => resumeOwnKey(of[0], PLAN_BOOK, of[1], of[2]),
      revokeOwnKey,
      revokeOwnKey,
    ])
      states.push((await change(database, sessionId, key.id.toUpperCase())).state);

    expect(states).toEqual(['inactive', 'inactive', 'active', 'revoked', 'revoked']);
  });

  it('is refused for another account’s key and in an ended session', async () => {
    const [one, two] = [await person(), await person()];
    const outcomes = async () => [
      await refusal(pauseOwnKey(database, two.sessionId, one.key.id)),
      await refusal(resumeOwnKey(database, PLAN_BOOK, two.sessionId, one.key.id)),
      await refusal(revokeOwnKey(database, two.sessionId, one.key.id)),
    ];

    expect(await outcomes()).toEqual(['not_found', 'not_found', 'not_found']);
    await endSession(database, two.sessionId);
    expect(await outcomes()).toEqual(['unauthorized', 'unauthorized', 'unauthorized']);
    expect((await list(one)).keys.map(({ state }) => state)).toEqual(['active']);
  });
});

describe('the list of keys', () => {
  it('is paged, newest first, and reports how many keys are active', async () => {
    const { key, ...account } = await person();
    const others = [await makeKey(database, account.accountId), await makeKey(database, account.accountId)];
    await revokeOwnKey(database, account.sessionId, others[0]?.id ?? '');

    const first = await list(account, { limit: 2 });
    const second = await list(account, { limit: 2, cursor: first.nextCursor });

    const [older, newer] = others.map(({ id }) => id);
    expect(first.keys.map(({ id }) => id)).toEqual([newer, older]);
    expect(second.keys.map(({ id }) => id)).toEqual([key.id]);
    expect(second).toMatchObject({ nextCursor: null, active: 2, limit: 5 });
    expect((await list(account, { state: 'revoked' })).keys.map(({ id }) => id)).toEqual([older]);
    expect(await refusal(list(account, { cursor: 'W10' }))).toBe('invalid_request');
  });

  it('contains no other account’s keys, even for their cursor', async () => {
    const [one, two] = [await person(), await person()];
    await makeKey(database, one.accountId);
    const { nextCursor } = await list(one, { limit: 1 });

    expect((await list(two, { cursor: nextCursor })).keys.map(({ id }) => id)).not.toContain(one.key.id);
  });
});
