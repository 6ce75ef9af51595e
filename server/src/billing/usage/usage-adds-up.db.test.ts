import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { setClock, shiftClock } from '../../../testing/clock.ts';
import { giveCredits, makeAccount, makeKey, type TestAccount } from '../../../testing/factories.ts';
import { useLedger } from '../../../testing/ledger/ledger-harness.ts';
import { fewerUnlessNightly } from '../../../testing/nightly.ts';
import { SMALL_PLANS } from '../../../testing/plans/plan-model.ts';
import { readAllUsage, readCsvLines } from '../../../testing/usage/read-all-usage.ts';
import { OPERATIONS } from '../../access/plans/plans.ts';
import { accountBalance } from '../balance/account-balance.ts';
import { fail } from '../ledger/fail.ts';
import { adjust } from '../ledger/grant-and-adjust.ts';
import { reapDue } from '../ledger/reap.ts';
import { type Reservation, reserve } from '../ledger/reserve.ts';
import { settle } from '../ledger/settle.ts';
import { ALL_USAGE, usageByDay } from './usage-by-day.ts';

const RUNS = fewerUnlessNightly(8, 20);
const world = useLedger();
afterAll(() => setClock(world.database, null));

const call = fc.record({
  do: fc.constant('call' as const),
  operation: fc.constantFrom(...OPERATIONS),
  key: fc.nat(1),
  end: fc.constantFrom('settle' as const, 'fail' as const, null),
});
const step = fc.oneof(
  { weight: 8, arbitrary: call },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('end' as const), settles: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 700 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('grant' as const),
      source: fc.constantFrom('gifted', 'purchased'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('adjust' as const), credits: fc.constantFrom(-7, 3, 40) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

/** Amounts granted and adjusted, per bucket, and the calls in progress. */
interface Books {
  totals: Map<number, number>;
  open: Reservation[];
  hours: number;
}

async function finish(run: Reservation, settles: boolean): Promise<void> {
  const { database } = world;
  if (settles) await settle(database, run, 'agent', world.score());
  else await fail(database, run, 'upstream');
}

async function take(account: TestAccount, secondKeyId: string, each: Step, books: Books): Promise<void> {
  const { database } = world;
  const { accountId } = account;
  switch (each.do) {
    case 'call': {
      await accountBalance(database, SMALL_PLANS, accountId);
      const { operation } = each;
      const callerId = each.key === 0 ? account.key.id : secondKeyId;
      const run = await reserve(database, world.input(account, { operation, callerId }));
      if (run && each.end) await finish(run, each.end === 'settle');
      else if (run) books.open.push(run);
      return;
    }
    case 'end': {
      const run = books.open.shift();
      if (run) await finish(run, each.settles);
      return;
    }
    case 'wait':
      books.hours += each.hours;
      await shiftClock(database, `${books.hours} hours`);
      await reapDue(database);
      books.open = [];
      return;
    case 'grant': {
      const { bucketId } = await giveCredits(database, accountId, 35, each.source as 'gifted');
      books.totals.set(bucketId, 35);
      return;
    }
    case 'adjust': {
      const [bucketId] = books.totals.keys();
      if (bucketId === undefined) return;
      const adjusted = adjust(database, { accountId, bucketId, credits: each.credits, note: 'test' });
      const before = books.totals.get(bucketId) ?? 0;
      await adjusted.then(
        () => books.totals.set(bucketId, before + each.credits),
        (refused) => expect(refused.code).toBe('invalid_request'),
      );
    }
  }
}

/** Returns used and held by bucket. */
function sumsOf(rows: { bucketId: number; used: number; held: number }[]): Map<number, string> {
  const sums = new Map<number, { used: number; held: number }>();
  for (const { bucketId, used, held } of rows) {
    const sum = sums.get(bucketId) ?? { used: 0, held: 0 };
    sums.set(bucketId, { used: sum.used + used, held: sum.held + held });
  }
  return new Map([...sums].map(([bucketId, { used, held }]) => [bucketId, `${used} used, ${held} held`]));
}

async function check(account: TestAccount, books: Books, pageLimit: number): Promise<void> {
  const { database } = world;
  const { accountId } = account;
  const { buckets } = await accountBalance(database, SMALL_PLANS, accountId, { ended: true });
  const rows = await readAllUsage(database, accountId, {}, pageLimit);

  for (const { id, total, used, held, left } of buckets) {
    expect(left).toBe(total - used - held);
    expect(total).toBe(books.totals.get(id) ?? total);
  }
  const touched = buckets.filter(({ id }) => rows.some(({ bucketId }) => bucketId === id));
  expect(sumsOf(rows)).toEqual(sumsOf(touched.map(({ id, ...bucket }) => ({ ...bucket, bucketId: id }))));
  for (const { used, held } of buckets.filter((bucket) => !touched.includes(bucket))) {
    expect([used, held]).toEqual([0, 0]);
  }
  const places = rows.map(
    ({ day, operation, keyId, bucketId }) => `${day} ${operation} ${keyId} ${bucketId}`,
  );
  expect(new Set(places).size).toBe(places.length);
  expect(rows.map(({ day }) => day)).toEqual(
    rows
      .map(({ day }) => day)
      .sort()
      .reverse(),
  );
  const lines = await readCsvLines(database, accountId);
  expect(lines.map((line) => line.split(',').slice(-5).map(Number))).toEqual(
    rows.map((row) => [row.settledCalls, row.failedCalls, row.heldCalls, row.used, row.held]),
  );
  const { days } = await usageByDay(database, accountId, { ...ALL_USAGE, from: rows.at(-1)?.day ?? null });
  const credits = rows.filter(({ unit }) => unit === 'credit').reduce((sum, { used }) => sum + used, 0);
  expect(days.reduce((sum, day) => sum + day.credits, 0)).toBe(credits);
}

it('after any sequence of changes, usage rows sum to the buckets, and buckets to the grants', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 40 }),
      fc.integer({ min: 1, max: 9 }),
      async (steps, limit) => {
        await setClock(world.database, null);
        const account = await makeAccount(world.database, { plan: 'builder' });
        const second = await makeKey(world.database, account.accountId);
        const books: Books = { totals: new Map(), open: [], hours: 0 };
        for (const each of steps) await take(account, second.id, each, books);
        await check(account, books, limit);
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  );
}, 60_000);
