import type { Connection } from '../../platform/database/connect.ts';
import { RUN_COLUMNS, runColumnsOf } from './ledger.sql.ts';

/**
 * Approximate maximum of runs ended per statement, so that a bucket is not locked for long. A statement may end more
 * runs if several leases expire at the same moment.
 */
const MAX_RUNS_PER_STATEMENT = 500;

/**
 * Selects the buckets of the 5,000 open runs whose leases expired first. The next call of `reapDue` finds the remaining
 * ones.
 */
const DUE = `
SELECT account_id, bucket_id FROM (SELECT account_id, bucket_id FROM open_run
  WHERE lease_until <= ledger_now() ORDER BY lease_until LIMIT 5000) due
GROUP BY account_id, bucket_id ORDER BY account_id, bucket_id`;

/**
 * Ends one bucket's runs with expired leases. Takes one bucket, because locking several in one statement could deadlock
 * with `reserve`. First finds the latest lease expiry among the first 500 of these runs, so that the deletion reads one
 * range of an index. With a join on a list of runs, the planner may expect few rows and scan all open runs for each of
 * them.
 */
const REAP = `
WITH b0 AS (SELECT id FROM credit_bucket WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE),
last AS (SELECT max(lease_until) AS lease_until, count(*)::int AS seen FROM (SELECT r.lease_until FROM open_run r
  WHERE r.account_id = $1 AND r.bucket_id = (SELECT id FROM b0) AND r.lease_until <= ledger_now()
  ORDER BY r.lease_until LIMIT ${MAX_RUNS_PER_STATEMENT}) due),
o AS (DELETE FROM open_run r
  WHERE r.account_id = $1 AND r.bucket_id = (SELECT id FROM b0) AND r.lease_until <= (SELECT lease_until FROM last)
  RETURNING ${runColumnsOf('r')}),
r AS (INSERT INTO ended_run (${RUN_COLUMNS}, state, fail_code, ended_at)
  SELECT ${RUN_COLUMNS}, 'failed', 'lease_expired', ledger_now() FROM o),
s AS (SELECT bucket_id, sum(amount) AS amount FROM o GROUP BY 1),
b AS (UPDATE credit_bucket b SET held = b.held - s.amount FROM s WHERE b.account_id = $1 AND b.id = s.bucket_id)
SELECT count(*)::int AS reaped, (SELECT seen FROM last) AS seen FROM o`;

/** Selects the buckets of one account that hold amounts for runs with expired leases. */
const DUE_OF_ACCOUNT = `SELECT DISTINCT bucket_id FROM open_run
  WHERE account_id = $1 AND lease_until <= ledger_now() ORDER BY 1`;

interface Reaped {
  reaped: number;
  seen: number;
}

const NOTHING: Reaped = { reaped: 0, seen: 0 };

/** Ends one bucket's runs with expired leases and releases their holds. Returns the number of ended runs. */
export async function reapBucket(
  connection: Connection,
  accountId: string,
  bucketId: number,
): Promise<number> {
  let total = 0;
  for (;;) {
    const [row] = await connection.query<Reaped>(REAP, [accountId, bucketId]);
    const { reaped, seen } = row ?? NOTHING;
    total += reaped;
    if (reaped > 0) connection.watch?.onHoldsReleased?.(reaped);
    // Ends the loop if the batch was not full and every run that was seen was also ended. Fewer may be ended, because
    // another process ended some while the statement waited for the bucket's lock.
    if (reaped === seen && seen < MAX_RUNS_PER_STATEMENT) return total;
  }
}

/**
 * Ends one account's runs with expired leases, so that no call is refused because of their holds. Returns their number.
 */
export async function reapAccount(connection: Connection, accountId: string): Promise<number> {
  const due = await connection.query<{ bucket_id: number }>(DUE_OF_ACCOUNT, [accountId]);
  let total = 0;
  for (const { bucket_id } of due) total += await reapBucket(connection, accountId, bucket_id);
  return total;
}

/**
 * Ends runs with expired leases, of any account, bucket by bucket, and returns their number. One call of this function
 * handles the buckets of the 5,000 runs whose leases expired first. A bucket that fails (for example because it is
 * locked) does not delay the others; the first error is thrown at the end.
 */
export async function reapDue(connection: Connection): Promise<number> {
  const due = await connection.query<{ account_id: string; bucket_id: number }>(DUE);
  const failures: unknown[] = [];
  let total = 0;
  for (const { account_id, bucket_id } of due) {
    try {
      total += await reapBucket(connection, account_id, bucket_id);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return total;
}
