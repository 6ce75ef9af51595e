import type { Connection } from '../database/connect.ts';

// About this many runs end in one statement (more where leases end in the same moment), so that a bucket is never locked
// for long.
const BATCH = 500;

const DUE = `
SELECT account_id, bucket_id FROM (SELECT account_id, bucket_id FROM usage_run
  WHERE state = 'reserved' AND lease_until <= ledger_now() ORDER BY lease_until LIMIT 5000) due
GROUP BY account_id, bucket_id ORDER BY account_id, bucket_id`;

// One bucket per statement: several in one deadlock with the order in which reserve takes them. Up to which lease is asked
// first; the update then takes that stretch of an index. (Joined to a list of runs it would look for each of them among all
// the open ones whenever the planner believes that there are few.)
const REAP = `
WITH b0 AS (SELECT id FROM credit_bucket WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE),
last AS (SELECT max(lease_until) AS lease_until, count(*)::int AS seen FROM (SELECT r.lease_until FROM usage_run r
  WHERE r.account_id = $1 AND r.bucket_id = (SELECT id FROM b0) AND r.state = 'reserved' AND r.lease_until <= ledger_now()
  ORDER BY r.lease_until LIMIT ${BATCH}) due),
r AS (UPDATE usage_run r SET state = 'failed', fail_code = 'lease_expired', ended_at = ledger_now()
  WHERE r.account_id = $1 AND r.bucket_id = (SELECT id FROM b0) AND r.state = 'reserved'
    AND r.lease_until <= (SELECT lease_until FROM last)
  RETURNING r.account_id, r.ledger_id, r.bucket_id, r.amount),
s AS (SELECT bucket_id, sum(amount) AS amount FROM r GROUP BY 1),
b AS (UPDATE credit_bucket b SET held = b.held - s.amount FROM s WHERE b.account_id = $1 AND b.id = s.bucket_id),
e AS (INSERT INTO ledger_entry (account_id, ledger_id, bucket_id, kind, d_held)
  SELECT account_id, ledger_id, bucket_id, 'expire', -amount FROM r RETURNING 1)
SELECT count(*)::int AS reaped, (SELECT seen FROM last) AS seen FROM e`;

interface Reaped {
  reaped: number;
  seen: number;
}

const NOTHING: Reaped = { reaped: 0, seen: 0 };

/** S4: ends the runs of one bucket whose lease is over and gives their holds back; answers how many. */
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
    // A statement that waited for the bucket may have seen runs that somebody else has ended since, in place of others.
    if (reaped === seen && seen < BATCH) return total;
  }
}

/** Reaps what is due in one account, on demand: no call is refused because of a hold whose lease is over. */
export async function reapAccount(connection: Connection, accountId: string): Promise<number> {
  const due = await connection.query<{ bucket_id: number }>(
    `SELECT DISTINCT bucket_id FROM usage_run
     WHERE account_id = $1 AND state = 'reserved' AND lease_until <= ledger_now() ORDER BY 1`,
    [accountId],
  );
  let total = 0;
  for (const { bucket_id } of due) total += await reapBucket(connection, accountId, bucket_id);
  return total;
}

/**
 * Reaps everything that is due, bucket by bucket. A bucket that cannot be had just now (somebody holds it) does not keep
 * the others waiting; its error is thrown once the rest is done.
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
