import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { setClock, shiftClock } from '../../../testing/clock.ts';
import type { TestAccount } from '../../../testing/factories.ts';
import { lockBuckets, newProcess } from '../../../testing/ledger/batches.ts';
import { useLedger } from '../../../testing/ledger/ledger-harness.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import type { Database } from '../../platform/database/connect.ts';
import { errorCode } from '../../platform/database/database-errors.ts';
import { FAIL, fail } from './fail.ts';
import { reapAccount } from './reap.ts';
import { reserve } from './reserve.ts';
import { SETTLE, settle } from './settle.ts';

const world = useLedger();
const { accountWith, buckets, hold, input, score } = world;

describe('runs settled in one batch', () => {
  it('share one statement; the versions of each subject are consecutive, and the last one is current', async () => {
    const { database, sizes } = newProcess(world.database);
    const accounts = [await accountWith(500), await accountWith(500)];
    const runs = await Promise.all([...accounts, ...accounts, ...accounts].map((account) => hold(account)));
    const scores = runs.map((_, place) => {
      const each = score();
      return { ...each, record: { ...each.record, trust: 50 + place } };
    });

    const settled = await Promise.all(
      runs.map((run, place) => settle(database, run, 'agent', scores[place] ?? score())),
    );

    expect(sizes).toEqual([6]);
    const versions = settled.map((each) => each?.scoreVersion ?? '');
    expect(new Set(versions).size).toBe(6);
    expect(versions).toEqual(versions.toSorted());
    const stored = await world.database.query<{ ledger_id: string; version: string; trust: number }>(
      `SELECT c.ledger_id, utc_text(c.version) AS version, c.trust FROM score c
       JOIN usage_run r ON r.subject_id = c.subject_id AND r.ledger_id = c.ledger_id AND r.score_version = c.version
       WHERE c.ledger_id = ANY ($1::uuid[]) ORDER BY c.version`,
      [runs.map(({ ledgerId }) => ledgerId)],
    );
    expect(stored).toEqual(
      runs.map(({ ledgerId }, place) => ({
        ledger_id: ledgerId,
        version: versions[place],
        trust: 50 + place,
      })),
    );
    const [now] = await world.database.query(
      `SELECT utc_text(s.current_version) AS version, utc_text(k.score_version) AS listed, k.trust FROM subject s
       JOIN listing_rank k ON k.subject_id = s.id WHERE s.id = $1`,
      [world.listing.subjectId],
    );
    expect(now).toEqual({ version: versions[5], listed: versions[5], trust: 55 });
    expect(settled.map((each) => each?.balance.included_used)).toEqual([10, 10, 20, 20, 30, 30]);
    for (const account of accounts)
      expect(await buckets(account)).toEqual([{ source: 'gifted', total: 500, used: 30, held: 0 }]);
  });

  it('end independently: charged, already ended, wrong subject type, requested twice', async () => {
    const account = await accountWith(500);
    const [run, failed, other] = [await hold(account), await hold(account), await hold(account)];
    await fail(world.database, failed, 'upstream');
    const { database } = newProcess(world.database);

    const answers = await Promise.all([
      settle(database, run, 'agent', score()),
      settle(database, failed, 'agent', score()),
      settle(database, other, 'skill', score()),
      settle(database, run, 'agent', score()),
    ]);

    expect(answers.map((each) => each !== null)).toEqual([true, false, false, false]);
    expect(await buckets(account)).toEqual([{ source: 'gifted', total: 500, used: 10, held: 10 }]);
    await fail(world.database, other, 'upstream');
  });

  it('are isolated from a run whose lease ends while they wait for its bucket', async () => {
    const { database } = newProcess(world.database);
    const [late, early] = [await accountWith(100), await accountWith(100)];
    const [lateRun, run] = [await hold(late, { leaseMs: 60_000 }), await hold(early, { leaseMs: 600_000 })];
    let settling: Promise<unknown[]> = Promise.resolve([]);

    await lockBuckets(world.database, late, async () => {
      settling = Promise.all([
        settle(database, lateRun, 'agent', score()).catch((error) => errorCode(error)?.constraint),
        settle(database, run, 'agent', score()),
      ]);
      await untilBlocked(world.database, settling);
      await shiftClock(world.database, '61 seconds');
    });
    const [lateEnd, end] = await settling;
    await reapAccount(world.database, late.accountId);
    await setClock(world.database, null);

    expect([null, 'settled_before_lease']).toContain(lateEnd);
    expect(end).toMatchObject({ balance: { included_used: 10 } });
    expect(await buckets(late)).toMatchObject([{ used: 0, held: 0 }]);
  });
});

it('runs that fail in one batch share one statement, and each learns whether it was still open', async () => {
  const { database, sizes } = newProcess(world.database);
  const accounts = [await accountWith(100), await accountWith(100)];
  const runs = await Promise.all([...accounts, ...accounts].map((account) => hold(account)));
  await settle(world.database, runs[1] ?? (await hold(accounts[1] as TestAccount)), 'agent', score());

  const ended = await Promise.all(
    runs.map((run, place) => fail(database, run, place === 0 ? 'upstream' : 'abandoned')),
  );

  expect(sizes).toEqual([4]);
  expect(ended).toEqual([true, false, true, true]);
  const [first] = await world.database.query('SELECT fail_code FROM usage_run WHERE ledger_id = $1', [
    runs[0]?.ledgerId,
  ]);
  expect(first).toEqual({ fail_code: 'upstream' });
  for (const account of accounts) expect(await buckets(account)).toMatchObject([{ held: 0 }]);
});

it.each(['settle', 'fail'] as const)(
  'a %s takes precedence over waiting holds of its account',
  async (way) => {
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const sent: string[] = [];
    const query: Database['query'] = async (sql, bind) => {
      sent.push(sql === SETTLE ? 'settle' : sql === FAIL ? 'fail' : 'reserve');
      if (sent.length === 1) await begun;
      return world.database.query(sql, bind);
    };
    const database = { ...world.database, query };
    const account = await accountWith(20);
    const run = await hold(account);

    const first = reserve(database, input(account));
    await turn();
    const waiting = reserve(database, input(account));
    const ending =
      way === 'settle' ? settle(database, run, 'agent', score()) : fail(database, run, 'upstream');
    await turn();
    begin();

    // Credits released by a failed run are available to the next one.
    const held = (await Promise.all([first, waiting, ending])).slice(0, 2).map((each) => each !== null);
    expect(held).toEqual([true, way === 'fail']);
    expect(sent).toEqual(['reserve', way, 'reserve']);
  },
);
