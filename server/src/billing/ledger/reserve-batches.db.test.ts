import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeAccount, makeListing } from '../../../testing/factories.ts';
import { lockBuckets, newProcess } from '../../../testing/ledger/batches.ts';
import { useLedger } from '../../../testing/ledger/ledger-harness.ts';
import { seededRandom } from '../../../testing/test-chance.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import type { Database } from '../../platform/database/connect.ts';
import { errorCode } from '../../platform/database/database-errors.ts';
import { loadBillingContext } from './billing-context.ts';
import { openPeriod } from './change-period.ts';
import { readRun } from './read-run.ts';
import { type ReserveInput, reserve } from './reserve.ts';
import { settle } from './settle.ts';

const world = useLedger();
const { accountWith, buckets, hold, input, score } = world;
const FREE = { plan: 'free', overageEnabled: false, overageCap: null };

const reserveAll = (database: Database, inputs: readonly ReserveInput[]) =>
  Promise.all(inputs.map((each) => reserve(database, each)));

/** Runs with this key violate a constraint that the test adds. */
async function withCursedKey(key: string, work: () => Promise<void>): Promise<void> {
  const constraint = `ALTER TABLE open_run ADD CONSTRAINT cursed CHECK (idempotency_key <> '${key}')`;
  await world.database.query(constraint);
  await work().finally(() => world.database.query('ALTER TABLE open_run DROP CONSTRAINT cursed'));
}

describe('holds in one batch', () => {
  it('share one statement, and each gets the same answer as alone', async () => {
    const { database, sizes } = newProcess(world.database);
    const [rich, poor, revoked] = [await accountWith(100), await accountWith(9), await accountWith(100)];
    await world.database.query('UPDATE access_key SET revoked_at = ledger_now() WHERE id = $1', [
      revoked.key.id,
    ]);
    const done = await hold(rich, { idempotencyKey: 'done' });
    const asked = [
      input(rich),
      input(poor),
      input(revoked),
      input(rich, { idempotencyKey: 'done' }),
      input(rich),
    ];

    const answers = await reserveAll(database, asked);

    expect(sizes).toEqual([5]);
    expect(answers.map((run) => run?.ledgerId ?? null)).toEqual([
      asked[0]?.ledgerId,
      null,
      null,
      null,
      asked[4]?.ledgerId,
    ]);
    expect(answers[0]).toMatchObject({ accountId: rich.accountId, source: 'gifted', amount: 10, attempt: 1 });
    expect(await buckets(rich)).toEqual([{ source: 'gifted', total: 100, used: 0, held: 30 }]);
    expect(await readRun(world.database, rich.accountId, done.ledgerId)).toMatchObject({ state: 'reserved' });
  });

  it('are dropped, like look-ups, for calls whose deadline has passed', async () => {
    const { database, sizes } = newProcess(world.database);
    const account = await accountWith(100);
    const [wanted, late] = [input(account), input(account, { until: 0 })];

    const [run, dropped] = await Promise.allSettled([reserve(database, wanted), reserve(database, late)]);

    expect(sizes).toEqual([1]);
    expect(run).toMatchObject({ value: { ledgerId: wanted.ledgerId } });
    expect(dropped).toMatchObject({ reason: { name: 'DeadlineExceededError' } });
    await expect(loadBillingContext(database, late)).rejects.toMatchObject({ name: 'DeadlineExceededError' });
    expect(sizes).toEqual([1]);
  });

  it('refuse a call that the balance does not cover, and serve later ones that it covers', async () => {
    const account = await accountWith(30);

    const answers = await reserveAll(
      newProcess(world.database).database,
      [25, 25, 5].map((priceCredits) => input(account, { priceCredits })),
    );

    expect(answers.map((run) => run?.amount ?? null)).toEqual([25, null, 5]);
  });

  it('exhaust buckets one after the other, as single calls do', async () => {
    const { database, sizes } = newProcess(world.database);
    // Uses 10 of these credits and holds another 10.
    const account = await accountWith(50);
    await settle(world.database, await hold(account), 'agent', score());
    await hold(account);
    await openPeriod(world.database, { ...account, ...FREE }, [{ source: 'free', unit: 'call', total: 2 }]);

    const answers = await reserveAll(
      database,
      Array.from({ length: 8 }, () => input(account)),
    );

    const sources = answers.map((run) => run?.source ?? null);
    expect(sources).toEqual(['free', 'free', 'gifted', 'gifted', 'gifted', null, null, null]);
    expect(sizes).toEqual([8, 6, 3]);
  });

  it('open one run per idempotency key; the others find that run', async () => {
    const account = await accountWith(1000);
    const asked = Array.from({ length: 5 }, () => input(account, { idempotencyKey: 'same' }));

    const answers = await reserveAll(newProcess(world.database).database, asked);

    expect(answers.map((run) => run?.ledgerId ?? null)).toEqual([asked[0]?.ledgerId, null, null, null, null]);
    expect(await buckets(account)).toMatchObject([{ held: 10 }]);
  });

  it('are isolated from failures of other items', async () => {
    const { database, sizes } = newProcess(world.database);
    const [one, other] = [await accountWith(100), await accountWith(100)];
    await withCursedKey('cursed', async () => {
      const answers = await Promise.allSettled(
        [input(one), input(other, { idempotencyKey: 'cursed' }), input(other)].map((each) =>
          reserve(database, each),
        ),
      );

      expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(sizes).toEqual([3, 1, 1, 1]);
    });
    expect(await buckets(one)).toMatchObject([{ held: 10 }]);
    expect(await buckets(other)).toMatchObject([{ held: 10 }]);
  });

  it('succeed although another bucket is locked; only the calls of that account keep waiting', async () => {
    const { database } = newProcess(world.database);
    const [kept, free] = [await accountWith(100), await accountWith(100)];
    let waiting: Promise<unknown> = Promise.resolve();

    await lockBuckets(world.database, kept, async () => {
      waiting = reserve(database, input(kept)).catch((error) => errorCode(error)?.code);
      expect(await reserve(database, input(free))).not.toBeNull();
    });

    // On a busy machine, the statement itself may have reached the lock timeout.
    expect([expect.objectContaining({ amount: 10 }), '55P03']).toContainEqual(await waiting);
  });

  it('that wait for locks give up their slots: look-ups are answered before them', async () => {
    const { database } = newProcess(world.database);
    const locked = [await accountWith(100), await accountWith(100)];
    const [one, other] = locked.map((account) => () => reserve(database, input(account)).catch(() => null));
    let hasEnded = false;
    let waiting: Promise<unknown> = Promise.resolve();

    await lockBuckets(world.database, locked[0] as never, () =>
      lockBuckets(world.database, locked[1] as never, async () => {
        const first = one?.();
        await untilBlocked(world.database, first as Promise<unknown>);
        const second = other?.();
        waiting = Promise.all([first, second]);
        const eitherEnds = Promise.race([first, second]).then(() => {
          hasEnded = true;
        });
        await untilBlocked(world.database, eitherEnds, 2);
        await loadBillingContext(database, input(await accountWith(100)));
        expect(hasEnded).toBe(false);
      }),
    );

    await waiting;
  });

  it('spend buckets completely, with any mix of prices and any number of buckets', async () => {
    const chance = seededRandom();
    const accounts = await Promise.all([1, 2, 3].map((each) => accountWith(each * 60)));
    for (const account of accounts)
      await openPeriod(world.database, { ...account, ...FREE }, [{ source: 'free', unit: 'call', total: 4 }]);
    const asked = Array.from({ length: 90 }, () =>
      input(chance.pick(accounts), { priceCredits: 1 + chance.below(30) }),
    );

    // Simulates two processes, whose batches block each other.
    const [one, other] = [newProcess(world.database), newProcess(world.database)];
    const answers = await Promise.all(
      asked.map((each, place) => reserve((place % 2 === 0 ? one : other).database, each)),
    );

    for (const account of accounts) {
      const stored = await buckets(account);
      const own = asked.flatMap((each, place) =>
        each.accountId === account.accountId ? [{ price: each.priceCredits, run: answers[place] }] : [],
      );
      const held = (source: string) =>
        own.reduce((sum, { run }) => sum + (run?.source === source ? run.amount : 0), 0);
      expect(stored.map(({ source, held: stands }) => [source, stands])).toEqual(
        stored.map(({ source }) => [source, held(source)]),
      );
      const left = (stored[1]?.total ?? 0) - (stored[1]?.held ?? 0);
      for (const { price, run } of own) if (!run) expect(price).toBeGreaterThan(left);
      expect(stored[0]).toMatchObject({ source: 'free', held: 4 });
    }
  });
});

it('look-ups in one batch share one statement, and each gets the same answer as alone', async () => {
  const { database, sizes } = newProcess(world.database);
  const [rich, poor] = [await accountWith(100), await makeAccount(world.database)];
  const elsewhere = await makeListing(world.database);
  await hold(rich, { idempotencyKey: 'open' });
  await settle(world.database, await hold(rich, { idempotencyKey: 'done' }), 'agent', score());
  const nobody = { kind: 'key', hash: Buffer.alloc(32) } as const;
  const calls = [
    input(rich, { idempotencyKey: 'open' }),
    input(poor),
    input(rich, { credential: nobody }),
    input(rich, { idempotencyKey: 'done', fingerprint: Buffer.alloc(32, 1), subjectId: elsewhere.subjectId }),
    input(rich, { scope: 'lineage:read', priceCredits: 1_000, idempotencyKey: randomUUID() }),
    input(poor, { idempotencyKey: '"quoted", \\u0000 and \\ud83d' }),
  ];

  const together = await Promise.all(calls.map((call) => loadBillingContext(database, call)));

  expect(sizes).toEqual([6]);
  const alone = [];
  for (const call of calls) alone.push(await loadBillingContext(world.database, call));
  expect(together).toEqual(alone);
  expect(together.map((each) => each?.lastRun?.state ?? null)).toEqual([
    'reserved',
    null,
    null,
    'settled',
    null,
    null,
  ]);
  expect(together.map((each) => each?.affordable ?? null)).toEqual([true, false, null, true, false, false]);
});
