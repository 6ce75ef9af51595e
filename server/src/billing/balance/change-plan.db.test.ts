import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { replaceClock, setClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeAccount, PLAN_BOOK } from '../../../testing/factories.ts';
import { createMeteredCalls, type MeteredCalls } from '../../../testing/plans/metered-calls.ts';
import type { Plan, PlanBook } from '../../access/plans/plans.ts';
import type { Database } from '../../platform/database/connect.ts';
import { adjust } from '../ledger/grant-and-adjust.ts';
import { verifyLedger } from '../ledger/verify.ts';
import { accountBalance } from './account-balance.ts';
import { setOverage, setPlan } from './change-plan.ts';

let test: TestDatabase;
let database: Database;
let calls: MeteredCalls;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 20 });
  database = test.database;
  await replaceClock(database);
  calls = await createMeteredCalls(database);
});
afterEach(async () => {
  await setClock(database, null);
  expect((await verifyLedger(database)).bad).toEqual([]);
});
afterAll(() => test.close());

/** Describes buckets as `free 25`, `included 2000 (10 used)` etc., in payment order. */
async function bucketsOf(accountId: string): Promise<string[]> {
  const { buckets } = await accountBalance(database, PLAN_BOOK, accountId);
  return buckets.map(({ source, total, used }) => `${source} ${total}${used > 0 ? ` (${used} used)` : ''}`);
}

function entriesOf(accountId: string) {
  return database.query(
    `SELECT b.source, e.kind, e.d_total, e.note FROM ledger_entry e JOIN credit_bucket b ON b.account_id = e.account_id
     AND b.id = e.bucket_id WHERE e.account_id = $1 AND e.d_total <> 0 ORDER BY e.at, b.id`,
    [accountId],
  );
}

describe('a higher plan', () => {
  it('takes effect at once: opens the month’s buckets or raises them to the new amounts', async () => {
    const { accountId, key } = await makeAccount(database, { plan: 'free' });
    for (let i = 0; i < 25; i++) await calls.call(key);
    expect(await calls.call(key)).toBe('insufficient_credits');

    await setPlan(database, PLAN_BOOK, accountId, 'builder');
    expect(await calls.call(key)).toBe('included');
    expect(await setPlan(database, PLAN_BOOK, accountId, 'pro')).toEqual({
      before: 'builder',
      plan: 'pro',
      from: null,
    });

    expect(await bucketsOf(accountId)).toEqual(['free 25 (25 used)', 'included 20000 (10 used)']);
    expect(await entriesOf(accountId)).toEqual([
      { source: 'free', kind: 'grant', d_total: 25, note: null },
      { source: 'included', kind: 'grant', d_total: 2_000, note: 'plan free to builder' },
      { source: 'included', kind: 'grant', d_total: 18_000, note: 'plan builder to pro' },
    ]);
  });

  it('does not change earlier months', async () => {
    await setClock(database, '2030-01-15T12:00:00Z');
    const { accountId, key } = await makeAccount(database, { plan: 'builder' });
    await calls.call(key);
    await setClock(database, '2030-02-15T12:00:00Z');

    await setPlan(database, PLAN_BOOK, accountId, 'pro');

    const months = await database.query(
      `SELECT to_char(valid_from AT TIME ZONE 'UTC', 'YYYY-MM') AS month, source, total FROM credit_bucket
       WHERE account_id = $1 AND period_kind = 'month' AND source = 'included' ORDER BY valid_from`,
      [accountId],
    );
    expect(months).toEqual([
      { month: '2030-01', source: 'included', total: 2_000 },
      { month: '2030-02', source: 'included', total: 20_000 },
    ]);
  });

  it('keeps adjustments made by an operator', async () => {
    const { accountId } = await makeAccount(database, { plan: 'builder' });
    const included = (await accountBalance(database, PLAN_BOOK, accountId)).buckets[1];
    await adjust(database, { accountId, bucketId: included?.id ?? 0, credits: -500, note: 'correction' });

    await setPlan(database, PLAN_BOOK, accountId, 'pro');

    expect(await bucketsOf(accountId)).toEqual(['free 25', 'included 19500']);
  });

  it('raises overage without a cap, and keeps a cap', async () => {
    const whole = await makeAccount(database, { plan: 'builder' });
    const capped = await makeAccount(database, { plan: 'builder' });
    await setOverage(database, PLAN_BOOK, whole.accountId, { enabled: true, capCredits: null });
    await setOverage(database, PLAN_BOOK, capped.accountId, { enabled: true, capCredits: 70 });

    for (const { accountId } of [whole, capped]) await setPlan(database, PLAN_BOOK, accountId, 'pro');

    expect(await bucketsOf(whole.accountId)).toContain('overage 20000');
    expect(await bucketsOf(capped.accountId)).toContain('overage 70');
  });
});

describe('a plans file with lower amounts', () => {
  const { free, builder, pro } = PLAN_BOOK.plans as Record<string, Plan>;
  const less = (plan: Plan | undefined, includedCredits: number) =>
    ({ ...plan, freeCalls: 5, includedCredits }) as Plan;
  const LESS: PlanBook = {
    ...PLAN_BOOK,
    plans: { ...PLAN_BOOK.plans, free: less(free, 0), builder: less(builder, 100), pro: less(pro, 300) },
  };

  it('reduces nothing in the current month, whatever is read, called or changed', async () => {
    await setClock(database, '2028-05-20T12:00:00Z');
    const { accountId, key } = await makeAccount(database, { plan: 'builder' });
    expect(await calls.call(key)).toBe('free');
    const before = ['free 25 (1 used)', 'included 2000'];
    const granted = await entriesOf(accountId);

    await accountBalance(database, LESS, accountId);
    expect(await bucketsOf(accountId)).toEqual(before);
    for (const plan of ['builder', 'pro', 'pro', 'builder', 'pro']) {
      await setPlan(database, LESS, accountId, plan);
      expect(await bucketsOf(accountId)).toEqual(before);
    }
    await setOverage(database, LESS, accountId, { enabled: true, capCredits: 10 });
    expect(await bucketsOf(accountId)).toEqual([...before, 'overage 10']);
    const underLess = await createMeteredCalls(database, LESS);
    expect(await underLess.call(key)).toBe('free');

    expect(await bucketsOf(accountId)).toEqual(['free 25 (2 used)', 'included 2000', 'overage 10']);
    expect((await entriesOf(accountId)).slice(0, -1)).toEqual(granted);
  });

  it('takes effect from the next month on', async () => {
    await setClock(database, '2028-05-20T12:00:00Z');
    const { accountId, key } = await makeAccount(database, { plan: 'builder' });
    await calls.call(key);
    await setClock(database, '2028-06-01T00:00:00Z');

    const { buckets } = await accountBalance(database, LESS, accountId);

    expect(buckets.map(({ source, total }) => `${source} ${total}`)).toEqual(['free 5', 'included 100']);
  });
});

describe('a lower plan', () => {
  it('keeps the current month and takes effect in the next one', async () => {
    await setClock(database, '2027-05-20T12:00:00Z');
    const { accountId, key } = await makeAccount(database, { plan: 'pro' });
    expect(await setPlan(database, PLAN_BOOK, accountId, 'free')).toEqual({
      before: 'pro',
      plan: 'free',
      from: '2027-06-01T00:00:00.000000Z',
    });
    expect(await bucketsOf(accountId)).toEqual(['free 25', 'included 20000']);

    await setClock(database, '2027-05-31T23:59:59.999Z');
    expect((await accountBalance(database, PLAN_BOOK, accountId)).plan).toBe('pro');
    await setClock(database, '2027-06-01T00:00:00Z');

    expect(await calls.call(key)).toBe('free');
    expect(await bucketsOf(accountId)).toEqual(['free 25 (1 used)']);
    expect(await accountBalance(database, PLAN_BOOK, accountId)).toMatchObject({
      plan: 'free',
      nextPlan: null,
    });
  });

  it('is cancelled, before it takes effect, by setting the current plan again or a higher one', async () => {
    await setClock(database, '2027-05-20T12:00:00Z');
    const { accountId } = await makeAccount(database, { plan: 'builder' });
    for (const plan of ['builder', 'pro']) {
      await setPlan(database, PLAN_BOOK, accountId, 'free');
      expect(await accountBalance(database, PLAN_BOOK, accountId)).toMatchObject({
        nextPlan: 'free',
        nextPlanFrom: '2027-06-01T00:00:00.000000Z',
      });
      await setPlan(database, PLAN_BOOK, accountId, plan);
    }

    await setClock(database, '2027-06-02T00:00:00Z');

    expect(await accountBalance(database, PLAN_BOOK, accountId)).toMatchObject({
      plan: 'pro',
      nextPlan: null,
    });
    expect(await bucketsOf(accountId)).toEqual(['free 25', 'included 20000']);
  });

  it('without overage disables overage', async () => {
    await setClock(database, '2027-05-20T12:00:00Z');
    const { accountId } = await makeAccount(database, { plan: 'builder' });
    await setOverage(database, PLAN_BOOK, accountId, { enabled: true, capCredits: null });
    await setPlan(database, PLAN_BOOK, accountId, 'free');

    await setClock(database, '2027-06-02T00:00:00Z');
    expect(await bucketsOf(accountId)).toEqual(['free 25']);
    await setPlan(database, PLAN_BOOK, accountId, 'builder');

    expect(await bucketsOf(accountId)).toEqual(['free 25', 'included 2000']);
  });
});

describe('a change of plan', () => {
  it('is refused for an unknown plan, an unknown account and a deleted account', async () => {
    const { accountId } = await makeAccount(database);
    const refusal = (id: string, plan: string) =>
      setPlan(database, PLAN_BOOK, id, plan).then(
        () => 'not refused',
        (error) => error.code,
      );

    expect(await refusal(accountId, 'gold')).toBe('invalid_request');
    expect(await refusal('01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47', 'pro')).toBe('not_found');
    await database.query('UPDATE account SET deleted_at = ledger_now() WHERE id = $1', [accountId]);
    expect(await refusal(accountId, 'pro')).toBe('invalid_request');
  });

  it('repairs an account on a plan that is missing from the list', async () => {
    const { accountId } = await makeAccount(database, { plan: 'free' });
    await database.query("UPDATE account SET plan = 'gone' WHERE id = $1", [accountId]);
    expect((await accountBalance(database, PLAN_BOOK, accountId)).buckets).toEqual([]);

    await setPlan(database, PLAN_BOOK, accountId, 'free');

    expect(await bucketsOf(accountId)).toEqual(['free 25']);
  });

  it('grants the higher amounts of an edited plan when the plan is set again', async () => {
    const { accountId } = await makeAccount(database, { plan: 'builder' });
    await bucketsOf(accountId);
    const { builder } = PLAN_BOOK.plans;
    const edited = {
      ...PLAN_BOOK,
      plans: {
        ...PLAN_BOOK.plans,
        builder: { ...(builder as NonNullable<typeof builder>), includedCredits: 2_600 },
      },
    };

    await setPlan(database, edited, accountId, 'builder');
    await setPlan(database, edited, accountId, 'builder');

    expect(await bucketsOf(accountId)).toEqual(['free 25', 'included 2600']);
  });
});
