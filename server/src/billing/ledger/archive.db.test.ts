import { describe, expect, it } from 'vitest';
import { OLD_KEYS, useOldLedger } from '../../../testing/ledger/old-ledger.ts';
import { runCommandHere } from '../../../testing/run-command-here.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import { withFreeAdvisoryLock } from '../../platform/database/advisory-lock.ts';
import { type Connection, connect } from '../../platform/database/connect.ts';
import { archive } from './archive.ts';
import { settle } from './settle.ts';
import { verifyLedger } from './verify.ts';

const world = useOldLedger();
const { call, hold, rows, told, undone } = world;
const DAYS = { closedForDays: 90 };

/** Wraps a connection that breaks at its nth statement: before it is sent, or before its answer arrives. */
function lostAt(connection: Connection, statement: number, cut: 'before' | 'after'): Connection {
  let sent = 0;
  return {
    ...connection,
    async query(sql, bind) {
      sent += 1;
      if (sent === statement && cut === 'before') throw new Error('lost');
      const answer = await connection.query(sql, bind);
      if (sent === statement) throw new Error('lost');
      return answer as never;
    },
  };
}

const ALL = { buckets: 3, skipped: 1, contents: 6, finished: true };
const ROLLED_UP = 'carry,carry,carry,grant 1 of 6';

describe('an archive', () => {
  it('replaces the entries of each closed bucket by one, and moves old evidence into one row; all answers stay the same', () =>
    undone(async (connection) => {
      const before = await told(connection);

      const report = await archive(connection, DAYS);

      expect(report).toMatchObject(ALL);
      expect(await rows(connection)).toBe(ROLLED_UP);
      expect(await told(connection)).toEqual(before);
      expect((await verifyLedger(connection)).bad).toEqual([]);
      expect(await archive(connection, DAYS)).toMatchObject({ buckets: 0, skipped: 1, contents: 0 });
    }));

  it('reports what it would do in a dry run, and changes nothing', () =>
    undone(async (connection) => {
      const before = [await rows(connection), ...(await told(connection))];

      expect(await archive(connection, { ...DAYS, dryRun: true })).toMatchObject(ALL);

      expect([await rows(connection), ...(await told(connection))]).toEqual(before);
    }));

  it('leaves a valid ledger when killed at any statement, and the next run completes the work', async () => {
    let cuts = 0;
    for (let statement = 1, died = true; died; statement += 1)
      for (const cut of ['before', 'after'] as const)
        await undone(async (connection) => {
          const before = await told(connection);
          const small = { ...DAYS, rowsAtOnce: 2 };
          const first = archive(lostAt(connection, statement, cut), small);
          died = await first.then(() => false).catch(() => true);
          if (died) cuts += 1;
          expect((await verifyLedger(connection)).bad).toEqual([]);
          expect(await told(connection)).toEqual(before);

          await archive(connection, small);

          expect((await verifyLedger(connection)).bad).toEqual([]);
          expect(await told(connection)).toEqual(before);
          expect(await rows(connection)).toMatch(/^carry,carry,carry,grant \d of [456]$/);
        });
    expect(cuts).toBeGreaterThan(20);
  });

  it('stops when aborted, and continues from there', () =>
    undone(async (connection) => {
      const stop = new AbortController();
      const options = { ...DAYS, rowsAtOnce: 2, signal: stop.signal, onRows: () => stop.abort() };
      const first = await archive(connection, options);

      const second = await archive(connection, DAYS);

      expect(first.finished).toBe(false);
      const sum = (what: 'buckets' | 'contents') => first[what] + second[what];
      expect([sum('buckets'), sum('contents')]).toEqual([ALL.buckets, ALL.contents]);
    }));

  it('skips a bucket that differs from the sum of its entries', () =>
    undone(async (connection) => {
      await connection.query(
        "UPDATE credit_bucket SET total = total + 1 WHERE source = 'gifted' AND account_id = $1",
        [world.account().accountId],
      );

      expect(await archive(connection, DAYS)).toMatchObject({ buckets: 2, skipped: 2 });
    }));

  it('counts the runs of a bucket that were opened within the minute after its end', () =>
    undone(async (connection) => {
      // A call that waits for its bucket may open its run after the period, but always within a minute.
      await connection.query(
        `UPDATE credit_bucket b SET valid_from = last.at - interval '1 day', valid_to = last.at - interval '59 seconds'
         FROM (SELECT bucket_id, max(created_at) AS at FROM ended_run WHERE account_id = $1 AND state = 'settled'
           GROUP BY 1 HAVING bool_or(idempotency_key = $2)) last
         WHERE b.account_id = $1 AND b.id = last.bucket_id`,
        [world.account().accountId, OLD_KEYS[0]],
      );
      expect((await verifyLedger(connection)).bad).toEqual([]);

      expect(await archive(connection, DAYS)).toMatchObject(ALL);
      expect((await verifyLedger(connection)).bad).toEqual([]);
    }));

  it('skips everything that ended after the cut-off', () =>
    undone(async (connection) => {
      expect(await archive(connection, { closedForDays: 250 })).toMatchObject({ buckets: 0, contents: 0 });
    }));
});

describe('what is archived', () => {
  it.each([
    [
      'a bucket without its roll-up entry',
      "DELETE FROM bucket_entry WHERE kind = 'carry'",
      'archived bucket without its roll-up entry',
    ],
    [
      'a roll-up entry of another amount',
      "UPDATE bucket_entry SET d_used = d_used + 1 WHERE kind = 'carry'",
      'bucket differs from the sum of its entries',
    ],
    [
      'a late charge',
      'UPDATE credit_bucket SET used = used + 1 WHERE archived_at IS NOT NULL AND used < total',
      'bucket differs from the sum of its entries',
    ],
    [
      'a missing receipt',
      "DELETE FROM ended_run WHERE idempotency_key = 'one'",
      'used differs from the settled runs',
    ],
    ['a missing part', 'DELETE FROM score_archive', 'archived score without its archived evidence'],
    [
      'a missing content',
      'UPDATE score_archive SET details = details - (SELECT min(content::text) FROM score_evidence WHERE archived_in = 1)',
      'archived score without its archived evidence',
    ],
  ])('is checked: %s is found', async (_what, statement, problem) => {
    await undone(async (connection) => {
      await archive(connection, DAYS);
      await connection.query("SET LOCAL session_replication_role = 'replica'");
      await connection.query(statement);

      expect((await verifyLedger(connection)).bad.map((row) => row.problem)).toContain(problem);
    });
  });

  it.each([
    ['an entry that no carry says', "DELETE FROM bucket_entry WHERE kind = 'grant'"],
    ['a carry', "DELETE FROM bucket_entry WHERE kind = 'carry'"],
    ['an entry, to change it', 'UPDATE bucket_entry SET d_total = 1'],
    ['inputs that no part has', "UPDATE score_evidence SET inputs = '{}'"],
    ['a score itself', 'UPDATE score_evidence SET trust = 1'],
    [
      'moving evidence back out of a part',
      'UPDATE score_evidence SET archived_in = NULL, inputs = \'{"a": 1}\' WHERE archived_in = 1',
    ],
    ['a part', 'DELETE FROM score_archive'],
    ['a part, to change it', "UPDATE score_archive SET details = '{}'"],
  ])('is kept by the tables themselves: %s', async (_what, statement) => {
    await undone(async (connection) => {
      await archive(connection, DAYS);

      await connection.query('SAVEPOINT before');
      await expect(connection.query(statement)).rejects.toThrow('is not allowed');
      await connection.query('ROLLBACK TO before');
    });
  });
});

describe('an archive run under load', () => {
  it('changes nothing when killed within a statement; replays, new calls and scores with archived content keep working', async () => {
    const { database } = world;
    const before = await told(database);
    const own = connect(world.url, { poolSize: 1, applicationName: 'archive to be killed' });
    const holder = await database.sequelize.transaction();
    await database.sequelize.query('SELECT FROM credit_bucket FOR UPDATE', { transaction: holder });
    const killed = archive(own, DAYS).catch((error: Error) => error);
    await untilBlocked(database, killed);
    await database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'archive to be killed'",
    );
    expect(await killed).toBeInstanceOf(Error);
    await holder.commit();
    await own.close();
    expect(await told(database)).toEqual(before);

    const run = () => runCommandHere(['archive'], { DATABASE_URL: world.url });
    const refused = await withFreeAdvisoryLock(world.url, 7_310_121, run, () => new Error('taken'));
    const done = await run();
    const asked = world.timesAsked();
    const replays = await Promise.all([...OLD_KEYS, 'today'].map(call));

    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Another archive run is in progress'),
    });
    expect(done).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Rolled up data of periods that ended before 20\S+Z: 3 balances, 6 scores\.\nSkipped balances: 1 /,
      ),
    });
    expect(await rows(database)).toBe(ROLLED_UP);
    expect(await told(database)).toEqual(before);
    expect(replays).toEqual(Array(6).fill('replay'));
    expect(world.timesAsked()).toBe(asked);
    expect(await call('tomorrow')).toBe('settled');
    await settle(database, await hold(world.account()), 'agent', world.score());
    const [current] = await database.query<{ archived: boolean; facts: boolean }>(
      `SELECT e.archived_in IS NOT NULL AS archived, c.inputs ? 'facts' AS facts FROM subject s
       JOIN score c ON c.subject_id = s.id AND c.version = s.current_version JOIN score_version v ON v.subject_id = s.id
       AND v.version = s.current_version JOIN score_evidence e ON e.subject_id = s.id AND e.content = v.content WHERE s.id = $1`,
      [world.listing.subjectId],
    );
    expect(current).toEqual({ archived: true, facts: true });
  });
});
