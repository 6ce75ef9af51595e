import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceClock, shiftClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import {
  credentialOf,
  makeAccount,
  makeKey,
  makeSession,
  PLAN_BOOK,
  type TestAccount,
} from '../../../testing/factories.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import { withOperatorSession } from '../../accounts/sign-in/sign-in-link.ts';
import { setPlan } from '../../billing/balance/change-plan.ts';
import type { Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { authenticate } from '../callers/authenticate.ts';
import { endSession } from '../callers/session.ts';
import { lockSessionAccount } from '../plans/lock-plan.ts';
import { createKey, type Replacement, replaceKey } from './create-key.ts';
import { saveRevoked } from './key.queries.ts';
import type { KeyRecord } from './key-fields.ts';
import { listKeys } from './list-keys.ts';
import { pauseKey, resumeKey } from './own-keys.ts';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 15 });
  database = test.database;
  await replaceClock(database);
});
afterAll(() => test.close());

function replace(account: TestAccount, changes: Partial<Replacement> = {}) {
  return withOperatorSession(database, account.accountId, (sessionId) =>
    replaceKey(database, PLAN_BOOK, {
      sessionId,
      replacesKeyId: account.key.id,
      name: null,
      expiresAt: null,
      ...changes,
    }),
  );
}

async function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'not refused',
    (error) => (error instanceof DomainError ? error.code : Promise.reject(error)),
  );
}

async function statesOf({ accountId }: TestAccount): Promise<KeyRecord['state'][]> {
  return (await listKeys(database, accountId)).map(({ state }) => state);
}

describe('replacing a key', () => {
  it('on a plan with one key revokes the old key and creates a new one with its name and scopes', async () => {
    const account = await makeAccount(database);

    const made = await replace(account);

    expect(await statesOf(account)).toEqual(['active', 'revoked']);
    const [fresh, old] = await listKeys(database, account.accountId);
    expect([fresh?.id, fresh?.scopes, fresh?.name]).toEqual([made.id, old?.scopes, old?.name]);
    expect(await refusal(authenticate(database, credentialOf(account.key), 'scores:read'))).toBe(
      'key_revoked',
    );
    expect(await authenticate(database, credentialOf(made), 'scores:read')).toMatchObject({ keyId: made.id });
  });

  it.each([
    ['', 'no name'],
    ['x'.repeat(101), 'too long a name'],
    ['bell\u0007', 'a control character'],
  ])('refuses %j (%s), and does not change the old key', async (name) => {
    const account = await makeAccount(database);

    expect(await refusal(replace(account, { name }))).toBe('invalid_request');
    expect(await statesOf(account)).toEqual(['active']);
  });

  it('creates one key under concurrent requests', async () => {
    const account = await makeAccount(database);

    const outcomes = await Promise.all(Array.from({ length: 10 }, () => refusal(replace(account))));

    expect(outcomes.filter((outcome) => outcome === 'not refused')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'invalid_request')).toHaveLength(9);
    expect(await statesOf(account)).toEqual(['active', 'revoked']);
  });

  it('never extends the expiry', async () => {
    const account = await makeAccount(database, { plan: 'pro' });
    const key = await makeKey(database, account.accountId, { expiresAt: '2099-06-01T00:00:00Z' });
    const limited = { ...account, key };

    const tooLate = ['2099-06-01T00:00:01Z', '9999-12-31T23:59:59-12:00', '0000-01-01T00:00:00Z'];
    for (const expiresAt of tooLate)
      expect(await refusal(replace(limited, { expiresAt }))).toBe('invalid_request');
    const same = { ...account, key: await replace(limited) };
    const earlier = await replace(same, { expiresAt: '2098-01-01T00:00:00Z' });

    const expiries = (await listKeys(database, account.accountId)).map((each) => [each.id, each.expires_at]);
    expect(expiries).toContainEqual([same.key.id, '2099-06-01T00:00:00.000000Z']);
    expect(expiries).toContainEqual([earlier.id, '2098-01-01T00:00:00.000000Z']);
  });

  it('of a paused key needs a free slot, otherwise the key stays paused', async () => {
    const account = await makeAccount(database);
    await pauseKey(database, account.accountId, account.key.id);
    await makeKey(database, account.accountId);

    expect(await refusal(replace(account))).toBe('key_limit_reached');
    expect(await statesOf(account)).toEqual(['active', 'inactive']);
  });

  it('is refused with the same text for another account’s, a revoked, an expired and an unknown key', async () => {
    const account = await makeAccount(database, { plan: 'pro' });
    const other = await makeAccount(database);
    const revoked = await makeKey(database, account.accountId);
    await saveRevoked(database, account.accountId, revoked.id);
    const expired = await makeKey(database, account.accountId);
    await database.query('UPDATE access_key SET expires_at = ledger_now() WHERE id = $1', [expired.id]);

    const ids = [other.key.id, revoked.id, expired.id, 'not-an-id'];
    const errors = await Promise.all(
      ids.map((replacesKeyId) => replace(account, { replacesKeyId }).catch((error) => error)),
    );

    expect(new Set(errors.map(({ code, message }) => `${code} ${message}`)).size).toBe(1);
    expect(errors[0]).toMatchObject({ code: 'invalid_request' });
    expect(await statesOf(other)).toEqual(['active']);
  });
});

describe('pausing and resuming', () => {
  it('releases and takes a slot, or reports that the limit is reached', async () => {
    const account = await makeAccount(database);
    await pauseKey(database, account.accountId, account.key.id);
    const second = await makeKey(database, account.accountId);

    expect(await refusal(resumeKey(database, PLAN_BOOK, account.accountId, account.key.id))).toBe(
      'key_limit_reached',
    );
    await saveRevoked(database, account.accountId, second.id);
    await resumeKey(database, PLAN_BOOK, account.accountId, account.key.id);

    expect(await statesOf(account)).toEqual(['revoked', 'active']);
  });

  it('of ten paused keys resumes one on a plan with one key, under concurrent requests', async () => {
    const account = await makeAccount(database, { plan: 'pro' });
    const keys = [
      account.key,
      ...(await Promise.all(Array.from({ length: 9 }, () => makeKey(database, account.accountId)))),
    ];
    await Promise.all(keys.map(({ id }) => pauseKey(database, account.accountId, id)));
    await database.query("UPDATE account SET plan = 'free' WHERE id = $1", [account.accountId]);

    const outcomes = await Promise.all(
      keys.map(({ id }) => refusal(resumeKey(database, PLAN_BOOK, account.accountId, id))),
    );

    expect(outcomes.filter((outcome) => outcome === 'not refused')).toHaveLength(1);
    expect((await statesOf(account)).filter((state) => state === 'active')).toHaveLength(1);
  });

  it('is idempotent, and refused for revoked, expired and other accounts’ keys', async () => {
    const account = await makeAccount(database);
    const { accountId, key } = account;
    for (let i = 0; i < 2; i++) await pauseKey(database, accountId, key.id);
    for (let i = 0; i < 2; i++) await resumeKey(database, PLAN_BOOK, accountId, key.id.toUpperCase());
    expect(await statesOf(account)).toEqual(['active']);

    const stranger = await makeAccount(database);
    expect(await refusal(pauseKey(database, stranger.accountId, key.id))).toBe('not_found');
    expect(await refusal(resumeKey(database, PLAN_BOOK, stranger.accountId, key.id))).toBe('not_found');
    await saveRevoked(database, accountId, key.id);
    expect(await refusal(pauseKey(database, accountId, key.id))).toBe('invalid_request');
    expect(await refusal(resumeKey(database, PLAN_BOOK, accountId, key.id))).toBe('invalid_request');
  });
});

describe('the number of keys', () => {
  it('follows the current plan: a lower one takes effect next month and revokes no key', async () => {
    const account = await makeAccount(database, { plan: 'builder' });
    await setPlan(database, PLAN_BOOK, account.accountId, 'free');
    await makeKey(database, account.accountId);

    await shiftClock(database, '32 days');
    expect(await refusal(makeKey(database, account.accountId))).toBe('key_limit_reached');
    expect(await statesOf(account)).toEqual(['active', 'active']);

    await setPlan(database, PLAN_BOOK, account.accountId, 'builder');
    expect(await refusal(makeKey(database, account.accountId))).toBe('not refused');
    await shiftClock(database, '0');
  });

  it('and their expiry depend on the database clock', async () => {
    const { accountId } = await makeAccount(database, { plan: 'pro' });
    await shiftClock(database, '-2 days');
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();

    expect(await refusal(makeKey(database, accountId, { expiresAt: yesterday }))).toBe('not refused');
    await shiftClock(database, '0');
    expect(await refusal(makeKey(database, accountId, { expiresAt: yesterday }))).toBe('invalid_request');
    expect((await listKeys(database, accountId)).map(({ state }) => state)).toContain('expired');
  });
});

it('a session creates no key after its end was confirmed', async () => {
  const { accountId } = await makeAccount(database, { plan: 'enterprise' });

  for (let round = 0; round < 20; round++) {
    const { sessionId } = await makeSession(database, accountId);
    const create = () =>
      refusal(
        createKey(database, PLAN_BOOK, {
          sessionId,
          name: 'racer',
          scopes: ['scores:read'],
          expiresAt: null,
        }),
      );
    const racing = [create(), endSession(database, sessionId)] as const;
    await racing[1];

    expect(await create()).toBe('unauthorized');
    expect(['not refused', 'unauthorized']).toContain(await racing[0]);
  }
});

it('a session cannot be ended while it creates a key', async () => {
  const { accountId } = await makeAccount(database);
  const { sessionId } = await makeSession(database, accountId);
  const order: string[] = [];

  let ending: Promise<unknown> = Promise.resolve();
  await inTransaction(database, async (connection) => {
    await lockSessionAccount(connection, sessionId);
    ending = endSession(database, sessionId).then(() => order.push('ended'));
    await untilBlocked(database, ending);
    order.push('made');
  });
  await ending;

  expect(order).toEqual(['made', 'ended']);
});
