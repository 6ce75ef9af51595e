import { describe, expect, it } from 'vitest';
import type { TestAccount } from '../../../testing/factories.ts';
import { useLedger } from '../../../testing/ledger/ledger-harness.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { fail } from './fail.ts';
import { reapAccount, reapDue } from './reap.ts';
import { reserve } from './reserve.ts';

const world = useLedger();
const { accountWith, buckets, hold, input } = world;

describe('the reaper', () => {
  it('ends only runs with expired leases, also when two reapers run at once', async () => {
    const account = await accountWith(1000);
    const short = await Promise.all(Array.from({ length: 30 }, () => hold(account, { leaseMs: 1 })));
    const long = await hold(account);
    await new Promise((resolve) => setTimeout(resolve, 20));

    const reaped = await Promise.all([reapDue(world.database), reapDue(world.database)]);

    expect(reaped[0] + reaped[1]).toBe(short.length);
    expect(await buckets(account)).toEqual([{ source: 'gifted', total: 1000, used: 0, held: 10 }]);
    await fail(world.database, long, 'upstream');
  });

  it('is not delayed by one locked bucket', async () => {
    const accounts = await Promise.all(Array.from({ length: 4 }, () => accountWith(100)));
    for (const account of accounts) await hold(account, { leaseMs: 1 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const [first] = accounts.map(({ accountId }) => accountId).sort();

    await inTransaction(world.database, async (connection) => {
      await connection.query('SELECT 1 AS one FROM credit_bucket WHERE account_id = $1 FOR UPDATE', [first]);
      await expect(reapDue(world.database)).rejects.toThrow();
    });

    const open = await world.database.query(
      "SELECT account_id FROM usage_run WHERE state = 'reserved' AND lease_until <= ledger_now()",
    );
    expect(open).toEqual([{ account_id: first }]);
    expect(await reapDue(world.database)).toBe(1);
  });

  it('handles more dead runs than one statement ends, and reads each only a few times', async () => {
    const account = await accountWithDead(550);

    const { reaped, read } = await inTransaction(world.database, async (connection) => {
      // With so few rows a full scan is the cheapest plan unless it is disabled.
      await connection.query('SET LOCAL enable_seqscan = off');
      // Disabled plans have such high costs that PostgreSQL would start JIT compilation, which takes seconds.
      await connection.query('SET LOCAL jit = off');
      // Foreign key checks use cached plans, maybe from when the table was empty: they are not what this test counts.
      await connection.query("SET LOCAL session_replication_role = 'replica'");
      const before = await rowsRead(connection, 'usage_run');
      const ended = await reapAccount(connection, account.accountId);
      return { reaped: ended, read: (await rowsRead(connection, 'usage_run')) - before };
    });

    expect(reaped).toBe(550);
    expect(read).toBeLessThan(10 * reaped);
    expect(await buckets(account)).toEqual([{ source: 'gifted', total: 5500, used: 0, held: 0 }]);
  });

  it('checks again after a lock wait, since other runs may have ended or expired', async () => {
    const account = await accountWith(100);
    for (const _run of [1, 2, 3]) await hold(account, { leaseMs: 0 });
    let reaping: Promise<number> = Promise.resolve(0);

    await inTransaction(world.database, async (connection) => {
      await connection.query('SELECT 1 AS one FROM credit_bucket WHERE account_id = $1 FOR UPDATE', [
        account.accountId,
      ]);
      reaping = reapAccount(world.database, account.accountId);
      await untilBlocked(world.database, reaping);
      expect(await reapAccount(connection, account.accountId)).toBe(3);
      for (const _run of [1, 2]) await reserve(connection, input(account, { leaseMs: 0 }));
    });

    expect(await reaping).toBe(2);
    expect(await buckets(account)).toEqual([{ source: 'gifted', total: 100, used: 0, held: 0 }]);
  });

  it('continues after waiting for another reaper until nothing is due', async () => {
    const { accountId } = await accountWithDead(2_000);
    const due = () =>
      world.database.query("SELECT 1 FROM usage_run WHERE account_id = $1 AND state = 'reserved'", [
        accountId,
      ]);
    const blocker = await world.database.sequelize.transaction();
    await world.database.sequelize.query('SELECT 1 FROM credit_bucket WHERE account_id = $1 FOR UPDATE', {
      transaction: blocker,
      bind: [accountId],
    });
    const left = [1, 2, 3].map(async () => {
      await reapAccount(world.database, accountId);
      return (await due()).length;
    });
    await untilBlocked(world.database, Promise.all(left), left.length);
    await blocker.rollback();

    expect(await Promise.all(left)).toEqual([0, 0, 0]);
  });
});

/** Creates an account whose credits are all held by runs with expired leases. */
async function accountWithDead(runs: number): Promise<TestAccount> {
  const account = await accountWith(10 * runs);
  await world.database.query(
    `WITH r AS (INSERT INTO open_run (account_id, ledger_id, key_id, bucket_id, idempotency_key, fingerprint, attempt,
         operation, subject_id, source, price_credits, amount, lease_until)
       SELECT $1, gen_random_uuid(), $2, b.id, number, sha256(''), 1, 'agent_score', $3, b.source, 10, 10,
         ledger_now() - number * interval '1 microsecond'
       FROM credit_bucket b, generate_series(1, $4::int) number WHERE b.account_id = $1)
     UPDATE credit_bucket SET held = total WHERE account_id = $1`,
    [account.accountId, account.key.id, world.listing.subjectId, runs],
  );
  return account;
}

/** Returns the number of rows of a table that this session has read by an index since the last call. */
async function rowsRead(connection: Connection, table: string): Promise<number> {
  const [row] = await connection.query<{ read: number }>(
    'SELECT idx_tup_fetch AS read FROM pg_stat_xact_user_tables WHERE relname = $1',
    [table],
  );
  return row?.read ?? 0;
}
