import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { giveCredits, makeAccount, PLAN_BOOK, type TestAccount } from '../../../testing/factories.ts';
import { createMeteredCalls, type MeteredCalls } from '../../../testing/plans/metered-calls.ts';
import { answer, answerWhenReleased } from '../../../testing/stand-ins/stand-in-backend.ts';
import type { Database } from '../../platform/database/connect.ts';
import { readBuckets } from '../ledger/account-buckets.ts';
import { adjust } from '../ledger/grant-and-adjust.ts';
import { verifyLedger } from '../ledger/verify.ts';
import { type OverageChoice, setOverage, setPlan } from './change-plan.ts';

let test: TestDatabase;
let database: Database;
let calls: MeteredCalls;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 20 });
  database = test.database;
  calls = await createMeteredCalls(database);
});
beforeEach(() => calls.backend.behave(answer));
afterEach(async () => expect((await verifyLedger(database)).bad).toEqual([]));
afterAll(() => test.close());

const optIn = (capCredits: number | null): OverageChoice => ({ enabled: true, capCredits });
const OUT: OverageChoice = { enabled: false };

/** Creates an account on the builder plan that can pay only with overage. */
async function makeSpent(): Promise<TestAccount> {
  const account = await makeAccount(database, { plan: 'builder' });
  await calls.call(account.key);
  for (const { id, left } of await readBuckets(database, account.accountId)) {
    await adjust(database, { accountId: account.accountId, bucketId: id, credits: -left, note: 'test' });
  }
  expect(await calls.call(account.key)).toBe('insufficient_credits');
  return account;
}

async function overageOf({ accountId }: TestAccount): Promise<string> {
  const bucket = (await readBuckets(database, accountId)).find(({ source }) => source === 'overage');
  return bucket ? `${bucket.total}: ${bucket.used} used, ${bucket.held} held` : 'none';
}

function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'not refused',
    (error) => `${error.code}: ${error.message}`,
  );
}

describe('opting in to overage', () => {
  it('opens overage for the current month at once, up to the cap', async () => {
    const account = await makeSpent();

    expect(await setOverage(database, PLAN_BOOK, account.accountId, optIn(20))).toBe(20);

    expect([await calls.call(account.key), await calls.call(account.key)]).toEqual(['overage', 'overage']);
    expect(await calls.call(account.key)).toBe('insufficient_credits');
    await setOverage(database, PLAN_BOOK, account.accountId, optIn(null));
    expect(await overageOf(account)).toBe('2000: 20 used, 0 held');
  });

  it.each([0, 2_001, 1.5, -1])('refuses a cap of %s', async (cap) => {
    const { accountId } = await makeAccount(database, { plan: 'builder' });

    expect(await refusal(setOverage(database, PLAN_BOOK, accountId, optIn(cap)))).toMatch(
      /^invalid_request: .*from 1 to 2000/,
    );
  });

  it('is refused on a plan without overage, and names plans that have it', async () => {
    const { accountId } = await makeAccount(database, { plan: 'free' });

    expect(await refusal(setOverage(database, PLAN_BOOK, accountId, optIn(10)))).toBe(
      'invalid_request: The free plan has no overage. Plans that have it: builder, pro, enterprise.',
    );
    await setOverage(database, PLAN_BOOK, accountId, OUT);
    expect(await overageOf({ accountId } as TestAccount)).toBe('none');
  });
});

describe('opting out of overage', () => {
  it('keeps what is used and held, so that only calls in progress are charged', async () => {
    const account = await makeSpent();
    await setOverage(database, PLAN_BOOK, account.accountId, optIn(100));
    await calls.call(account.key);
    const asked = answerWhenReleased();
    calls.backend.behave(asked.behaviour);
    const underWay = calls.call(account.key);
    await asked.once;

    await setOverage(database, PLAN_BOOK, account.accountId, OUT);

    expect(await overageOf(account)).toBe('20: 10 used, 10 held');
    expect(await calls.call(account.key)).toBe('insufficient_credits');
    asked.tell();
    expect(await underWay).toBe('overage');
    expect(await overageOf(account)).toBe('20: 20 used, 0 held');
  });

  it('or lowering the cap never goes below what is used; opting in again continues from there', async () => {
    const account = await makeSpent();
    await setOverage(database, PLAN_BOOK, account.accountId, optIn(null));
    for (let i = 0; i < 3; i++) await calls.call(account.key);

    await setOverage(database, PLAN_BOOK, account.accountId, optIn(10));
    expect(await overageOf(account)).toBe('30: 30 used, 0 held');
    await setOverage(database, PLAN_BOOK, account.accountId, OUT);
    await setOverage(database, PLAN_BOOK, account.accountId, optIn(40));
    expect([await calls.call(account.key), await calls.call(account.key)]).toEqual([
      'overage',
      'insufficient_credits',
    ]);
  });
});

describe('a change of overage', () => {
  it('keeps a scheduled plan change', async () => {
    const { accountId } = await makeAccount(database, { plan: 'pro' });
    await setPlan(database, PLAN_BOOK, accountId, 'builder');

    await setOverage(database, PLAN_BOOK, accountId, optIn(15_000));

    expect(
      await database.query('SELECT plan, next_plan, overage_cap FROM account WHERE id = $1', [accountId]),
    ).toEqual([{ plan: 'pro', next_plan: 'builder', overage_cap: 15_000 }]);
  });
});

describe('adjusting a bucket', () => {
  it('refuses to remove used or held credits, and says how many can be removed', async () => {
    const { accountId, key } = await makeAccount(database);
    await calls.call(key);
    const [free] = await readBuckets(database, accountId);
    const bucketId = free?.id ?? 0;

    expect(await refusal(adjust(database, { accountId, bucketId, credits: -25, note: '' }))).toMatch(
      /^invalid_request: At most 24 can be removed/,
    );
    expect(await adjust(database, { accountId, bucketId, credits: -24, note: 'all' })).toMatchObject({
      left: 0,
    });
    expect(await calls.call(key)).toBe('insufficient_credits');
  });

  it('refuses overage, expired buckets, other accounts’ buckets, and invalid numbers and notes', async () => {
    const { accountId } = await makeAccount(database, { plan: 'builder' });
    await setOverage(database, PLAN_BOOK, accountId, optIn(10));
    const [overage] = await readBuckets(database, accountId);
    const { bucketId } = await giveCredits(database, accountId, 5);
    await database.query(
      "UPDATE credit_bucket SET valid_from = valid_from - interval '2 days', valid_to = ledger_now() WHERE id = $1",
      [bucketId],
    );
    const stranger = await makeAccount(database);
    const outcome = (changes: object) =>
      refusal(adjust(database, { accountId, bucketId, credits: 1, note: '', ...changes }));

    expect(await outcome({ bucketId: overage?.id })).toMatch(/^invalid_request: Overage follows the cap/);
    expect(await outcome({})).toMatch(/^invalid_request: The bucket has expired/);
    expect(await outcome({ accountId: stranger.accountId })).toMatch(/^not_found/);
    for (const credits of [0, 0.5, Number.NaN, 2e9])
      expect(await outcome({ credits })).toMatch(/whole number/);
    expect(await outcome({ note: 'a\u0000b' })).toMatch(/printable/);
  });
});
