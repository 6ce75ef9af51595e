import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { replaceClock, setClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { giveCredits, makeAccount, type TestAccount } from '../../../testing/factories.ts';
import { fewerUnlessNightly } from '../../../testing/nightly.ts';
import { createMeteredCalls, type MeteredCalls } from '../../../testing/plans/metered-calls.ts';
import { PlanModel, SMALL_PLANS } from '../../../testing/plans/plan-model.ts';
import { answer, refuse } from '../../../testing/stand-ins/stand-in-backend.ts';
import type { Database } from '../../platform/database/connect.ts';
import { adjust } from '../ledger/grant-and-adjust.ts';
import { verifyLedger } from '../ledger/verify.ts';
import { accountBalance } from './account-balance.ts';
import { setOverage, setPlan } from './change-plan.ts';

const RUNS = fewerUnlessNightly(12, 40);
const STEPS = 30;
/** Time limit for a hanging run: about ten thousand statements, plus shrinking of failures. */
const TIME_LIMIT_MS = 600_000;

let test: TestDatabase;
let database: Database;
let calls: MeteredCalls;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
  await replaceClock(database);
  calls = await createMeteredCalls(database, SMALL_PLANS);
});
afterAll(() => test.close());

type Step =
  | { do: 'plan'; plan: string }
  | { do: 'overage'; cap: number | 'whole' | null }
  | { do: 'adjust'; source: 'free' | 'included'; credits: number }
  | { do: 'call'; settles: boolean }
  | { do: 'grant' }
  | { do: 'month' };

const cap = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constant('whole' as const), fc.constant(null));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('call' as const), settles: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('plan' as const),
      plan: fc.constantFrom('free', 'builder', 'pro', 'odd'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('overage' as const), cap }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('adjust' as const),
      source: fc.constantFrom('free' as const, 'included' as const),
      credits: fc.integer({ min: -30, max: 30 }).filter((credits) => credits !== 0),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('grant' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('month' as const) }) },
);

async function balanceOf({ accountId }: TestAccount): Promise<string[]> {
  const { buckets } = await accountBalance(database, SMALL_PLANS, accountId);
  const gifted = buckets.filter(({ source }) => source === 'gifted');
  const sum = (of: 'total' | 'used') => gifted.reduce((total, bucket) => total + bucket[of], 0);
  const lines = buckets.map(({ source, total, used }) => `${source} ${total}/${used}`);
  const others = lines.filter((line) => !line.startsWith('gifted'));
  if (gifted.length > 0)
    others.splice(others[0]?.startsWith('free') ? 1 : 0, 0, `gifted ${sum('total')}/${sum('used')}`);
  return others;
}

function refused(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => false,
    (error) => (error.code === 'invalid_request' ? true : Promise.reject(error)),
  );
}

/** Applies one step to the account and to the model, and compares both. */
async function take(
  account: TestAccount,
  model: PlanModel,
  each: Step,
  month: { number: number },
): Promise<void> {
  const { accountId } = account;
  switch (each.do) {
    case 'plan':
      await setPlan(database, SMALL_PLANS, accountId, each.plan);
      return model.setPlan(each.plan);
    case 'overage': {
      const choice =
        each.cap === null
          ? ({ enabled: false } as const)
          : ({ enabled: true, capCredits: each.cap === 'whole' ? null : each.cap } as const);
      const wasRefused = await refused(setOverage(database, SMALL_PLANS, accountId, choice));
      return expect(wasRefused).toBe(!model.setCap(each.cap));
    }
    case 'adjust': {
      const { buckets } = await accountBalance(database, SMALL_PLANS, accountId);
      model.open();
      const bucketId = buckets.find(({ source }) => source === each.source)?.id;
      if (bucketId === undefined) return;
      const adjustment = { accountId, bucketId, credits: each.credits, note: 'model' };
      return expect(await refused(adjust(database, adjustment))).toBe(
        !model.adjust(each.source, each.credits),
      );
    }
    case 'call':
      calls.backend.behave(each.settles ? answer : refuse);
      return expect(await calls.call(account.key)).toBe(model.call(each.settles));
    case 'grant':
      // Whole calls, so that several grants are equivalent to one.
      await giveCredits(database, accountId, 20);
      model.gifted.total += 20;
      return;
    case 'month':
      month.number += 1;
      await setClock(database, new Date(Date.UTC(2027, month.number, 1)).toISOString());
      return model.nextMonth();
  }
}

it(
  'plans, overage, adjustments, calls and months produce the balances of a simple model',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: STEPS }), async (steps) => {
        const month = { number: 0 };
        await setClock(database, '2027-01-15T12:00:00Z');
        const account = await makeAccount(database);
        const model = new PlanModel();
        for (const each of steps) {
          await take(account, model, each, month);
          expect(await balanceOf(account)).toEqual(model.balance());
        }
        expect((await verifyLedger(database)).bad).toEqual([]);
      }),
      { numRuns: RUNS, endOnFailure: false },
    );
  },
  TIME_LIMIT_MS,
);
