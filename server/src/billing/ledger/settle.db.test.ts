import { describe, expect, it } from 'vitest';
import { setClock, shiftClock } from '../../../testing/clock.ts';
import { useLedger } from '../../../testing/ledger/ledger-harness.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import { errorCode } from '../../platform/database/database-errors.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { fail } from './fail.ts';
import { readRun } from './read-run.ts';
import { reapAccount } from './reap.ts';
import { settle } from './settle.ts';

const world = useLedger();
const { accountWith, buckets, hold, score } = world;

describe('ending a run', () => {
  it('charges on settle, stores the score with its verdict and advances subject and listing to one version', async () => {
    const account = await accountWith(25);
    const run = await hold(account);

    const settled = await settle(world.database, run, 'agent', score());

    expect(settled?.balance).toMatchObject({ period_kind: 'grant', included_credits: 25, included_used: 10 });
    expect(await buckets(account)).toEqual([{ source: 'gifted', total: 25, used: 10, held: 0 }]);
    const [row] = await world.database.query(
      `SELECT utc_text(s.current_version) AS current, utc_text(k.score_version) AS listed, c.ledger_id, k.verdict FROM subject s
       JOIN listing_rank k ON k.subject_id = s.id JOIN score c ON c.subject_id = s.id AND c.version = s.current_version WHERE s.id = $1`,
      [world.listing.subjectId],
    );
    expect(row).toEqual({
      current: settled?.scoreVersion,
      listed: settled?.scoreVersion,
      ledger_id: run.ledgerId,
      verdict: 'well_evidenced',
    });
  });

  it('releases the hold on failure and keeps the failed record', async () => {
    const account = await accountWith(25);
    const run = await hold(account);

    expect(await fail(world.database, run, 'upstream')).toBe(true);

    expect(await buckets(account)).toEqual([{ source: 'gifted', total: 25, used: 0, held: 0 }]);
    expect(await readRun(world.database, account.accountId, run.ledgerId)).toMatchObject({ state: 'failed' });
    expect(await fail(world.database, run, 'upstream')).toBe(false);
  });

  it('has one winner when settle, settle, fail and the reaper race', async () => {
    const account = await accountWith(10_000);
    for (let round = 0; round < 40; round++) {
      const run = await hold(account, { leaseMs: 15 });

      const outcomes = await Promise.allSettled([
        settle(world.database, run, 'agent', score()),
        settle(world.database, run, 'agent', score()),
        fail(world.database, run, 'upstream'),
        new Promise((resolve) => setTimeout(resolve, 10)).then(() =>
          reapAccount(world.database, account.accountId),
        ),
      ]);

      const errors = outcomes.flatMap((each) => (each.status === 'rejected' ? [errorCode(each.reason)] : []));
      for (const error of errors)
        expect(error).toEqual({ code: '23514', constraint: 'settled_before_lease' });
      await reapAccount(world.database, account.accountId);
      const stored = await readRun(world.database, account.accountId, run.ledgerId);
      const settles = outcomes
        .slice(0, 2)
        .filter((outcome) => outcome.status === 'fulfilled' && outcome.value !== null);
      expect(settles).toHaveLength(stored?.state === 'settled' ? 1 : 0);
    }
  });

  it('never settles after the lease, even if the lease was checked before a lock wait', async () => {
    const account = await accountWith(100);
    const run = await hold(account, { leaseMs: 60_000 });
    let settling: Promise<unknown> = Promise.resolve();

    await inTransaction(world.database, async (connection) => {
      await connection.query('SELECT 1 AS one FROM credit_bucket WHERE account_id = $1 FOR UPDATE', [
        account.accountId,
      ]);
      settling = settle(world.database, run, 'agent', score()).catch((error) => errorCode(error));
      await untilBlocked(world.database, settling);
      await shiftClock(world.database, '61 seconds');
    });
    const outcome = await settling;
    const reaped = await reapAccount(world.database, account.accountId);
    await setClock(world.database, null);

    expect([null, { code: '23514', constraint: 'settled_before_lease' }]).toContainEqual(outcome);
    expect(reaped).toBe(1);
    expect(await buckets(account)).toEqual([{ source: 'gifted', total: 100, used: 0, held: 0 }]);
  });

  it('gives each of many racing settles of a subject a distinct version', async () => {
    const accounts = await Promise.all(Array.from({ length: 8 }, () => accountWith(500)));

    const settled = await Promise.all(
      accounts.flatMap((account) =>
        Array.from({ length: 20 }, async () => settle(world.database, await hold(account), 'agent', score())),
      ),
    );

    const versions = settled.map((each) => each?.scoreVersion);
    expect(new Set(versions).size).toBe(160);
    const [row] = await world.database.query<{ listed: string }>(
      'SELECT utc_text(score_version) AS listed FROM listing_rank WHERE subject_id = $1',
      [world.listing.subjectId],
    );
    expect(row?.listed).toBe(versions.sort().at(-1));
  });

  it('writes no listing row, and no index entry if the score is unchanged', async () => {
    const runs = [await hold(await accountWith(10)), await hold(await accountWith(10))];
    await world.database.query('VACUUM listing_rank');

    const [before, moved, same] = await inTransaction(world.database, async (connection) => {
      const other = { ...score(), record: { ...score().record, trust: 43.21 } };
      const counts = await connection.query<Written>(WRITTEN);
      for (const run of runs) {
        expect(await settle(connection, run, 'agent', other)).not.toBeNull();
        counts.push(...(await connection.query<Written>(WRITTEN)));
      }
      return counts;
    });

    expect(since(moved, before)).toEqual({ listings: 0, words: 0, ranked: 1, inPlace: 0 });
    expect(since(same, moved)).toEqual({ listings: 0, words: 0, ranked: 1, inPlace: 1 });
    const [indexes] = await world.database.query(
      "SELECT count(*)::int AS count FROM pg_index WHERE indrelid = 'listing_rank'::regclass",
    );
    // Each index costs an entry with every changed score.
    expect(indexes).toEqual({ count: 4 });
  });

  it('refuses a score for a subject of another type and charges nothing', async () => {
    const account = await accountWith(100);
    const run = await hold(account);

    expect(await settle(world.database, run, 'skill', score())).toBeNull();
    expect(await buckets(account)).toEqual([{ source: 'gifted', total: 100, used: 0, held: 10 }]);
    await fail(world.database, run, 'upstream');
  });
});

type Written = Record<'listings' | 'words' | 'ranked' | 'inPlace', number>;

const updated = (table: string) => `pg_stat_get_xact_tuples_updated('${table}'::regclass)::int`;
/** Counts the row versions that a session has written, and those of them that needed no index entry. */
const WRITTEN = `SELECT ${updated('listing')} AS listings, ${updated('listing_words')} AS words,
  ${updated('listing_rank')} AS ranked, pg_stat_get_xact_tuples_hot_updated('listing_rank'::regclass)::int AS "inPlace"`;

function since(now: Written | undefined, before: Written | undefined) {
  return Object.fromEntries(
    Object.entries(now ?? {}).map(([name, count]) => [name, count - (before?.[name as keyof Written] ?? 0)]),
  );
}
