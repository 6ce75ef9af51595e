import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { replaceClock, setClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeAccount, PLAN_BOOK, type TestAccount } from '../../../testing/factories.ts';
import { createMeteredCalls, type MeteredCalls } from '../../../testing/plans/metered-calls.ts';
import { answer, answerWhenReleased } from '../../../testing/stand-ins/stand-in-backend.ts';
import { replaceKey } from '../../access/keys/create-key.ts';
import { pauseKey, revokeKey } from '../../access/keys/own-keys.ts';
import { withOperatorSession } from '../../accounts/sign-in/sign-in-link.ts';
import type { Database } from '../../platform/database/connect.ts';
import { verifyLedger } from '../ledger/verify.ts';
import { accountBalance } from './account-balance.ts';
import { setOverage, setPlan } from './change-plan.ts';

const MANY = 40;

let test: TestDatabase;
let database: Database;
let calls: MeteredCalls;
let backend: ReturnType<typeof answerWhenReleased>;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 45 });
  database = test.database;
  await replaceClock(database);
  calls = await createMeteredCalls(database);
});
beforeEach(() => {
  backend = answerWhenReleased();
  calls.backend.behave(backend.behaviour);
});
afterEach(async () => {
  await setClock(database, null);
  expect((await verifyLedger(database)).bad).toEqual([]);
});
afterAll(() => test.close());

interface UnderWay {
  idempotencyKeys: string[];
  /** Lets the backend answer all waiting calls; resolves, for each, with the source that paid, another outcome or an error code. */
  end(): Promise<string[]>;
}

/** Starts many concurrent calls of a key, which all hold their price and wait for the backend. */
async function startMany(key: { secret: string }): Promise<UnderWay> {
  const idempotencyKeys = Array.from({ length: MANY }, () => randomUUID());
  const before = calls.backend.calls.length;
  const sources = Promise.all(idempotencyKeys.map((each) => calls.call(key, each)));
  while (calls.backend.calls.length < before + MANY) await sleep(5);
  const end = () => {
    backend.tell();
    return sources;
  };
  return { idempotencyKeys, end };
}

function count(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

/** Repeats every call and counts each attempt by its outcome. */
async function repeatAll(
  key: { secret: string },
  { idempotencyKeys }: UnderWay,
): Promise<Record<string, number>> {
  calls.backend.behave(answer);
  return count(await Promise.all(idempotencyKeys.map((each) => calls.call(key, each))));
}

describe('a month that ends while calls are in progress', () => {
  it('is charged for them, and the next month is not; replays are free in both', async () => {
    await setClock(database, '2027-08-31T23:59:59.500Z');
    const account = await makeAccount(database, { plan: 'builder' });
    const underWay = await startMany(account.key);

    await setClock(database, '2027-09-01T00:00:00.500Z');

    expect(count(await underWay.end())).toEqual({ free: 25, included: MANY - 25 });
    expect(await repeatAll(account.key, underWay)).toEqual({ replay: MANY });
    const { buckets } = await accountBalance(database, PLAN_BOOK, account.accountId, { ended: true });
    expect(buckets.map(({ source, from, used }) => [source, from.slice(0, 7), used])).toEqual([
      ['free', '2027-08', 25],
      ['included', '2027-08', (MANY - 25) * 10],
      ['free', '2027-09', 0],
      ['included', '2027-09', 0],
    ]);
  });
});

/** Changes of a key while its calls are in progress, and the answer to later calls with it. */
const ENDS: [string, (account: TestAccount) => Promise<unknown>, string][] = [
  [
    'revoked',
    ({ accountId, key }) => revokeKey(database, { id: accountId, handle: null }, key.id),
    'key_revoked',
  ],
  ['paused', ({ accountId, key }) => pauseKey(database, accountId, key.id), 'key_paused'],
  ['replaced', rotate, 'key_revoked'],
];

function rotate({ accountId, key }: TestAccount): Promise<{ secret: string }> {
  return withOperatorSession(database, accountId, (sessionId) =>
    replaceKey(database, PLAN_BOOK, { sessionId, replacesKeyId: key.id, name: null, expiresAt: null }),
  );
}

describe('a key that ends while its calls are in progress', () => {
  it.each(ENDS)('(%s) opens no more runs, and calls in progress complete', async (_how, end, code) => {
    const account = await makeAccount(database, { plan: 'builder' });
    const underWay = await startMany(account.key);

    await end(account);

    expect(await calls.call(account.key)).toBe(code);
    expect(count(await underWay.end())).toEqual({ free: 25, included: MANY - 25 });
    expect(await repeatAll(account.key, underWay)).toEqual({ [code]: MANY });
  });

  it('(replaced) leaves its receipts to the new one', async () => {
    const account = await makeAccount(database, { plan: 'builder' });
    const underWay = await startMany(account.key);
    const fresh = await rotate(account);
    await underWay.end();

    expect(await repeatAll(fresh, underWay)).toEqual({ replay: MANY });
  });
});

describe('a plan that changes while calls are in progress', () => {
  it('charges each call to the bucket that it held', async () => {
    const account = await makeAccount(database, { plan: 'builder' });
    await setOverage(database, PLAN_BOOK, account.accountId, { enabled: true, capCredits: null });
    const underWay = await startMany(account.key);

    await setPlan(database, PLAN_BOOK, account.accountId, 'pro');
    await setPlan(database, PLAN_BOOK, account.accountId, 'free');
    await setOverage(database, PLAN_BOOK, account.accountId, { enabled: false });

    expect(count(await underWay.end())).toEqual({ free: 25, included: MANY - 25 });
    const { buckets } = await accountBalance(database, PLAN_BOOK, account.accountId);
    expect(buckets.map(({ source, total, used, held }) => [source, total, used, held])).toEqual([
      ['free', 25, 25, 0],
      ['included', 20_000, (MANY - 25) * 10, 0],
      ['overage', 0, 0, 0],
    ]);
  });
});
