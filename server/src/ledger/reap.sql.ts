import { RUN_COLUMNS, runColumnsOf } from './run-columns.sql.ts';

/**
 * About this many runs end in one statement (more where leases end in the same moment), so that a bucket is never locked
 * for long.
 */
export const MOST_AT_ONCE = 500;

/** Buckets that hold for runs whose lease is over. */
export const DUE = `
SELECT account_id, bucket_id FROM (SELECT account_id, bucket_id FROM open_run
  WHERE lease_until <= ledger_now() ORDER BY lease_until LIMIT 5000) due
GROUP BY account_id, bucket_id ORDER BY account_id, bucket_id`;

/**
 * One bucket per statement: several in one deadlock with the order in which reserve takes them. Up to which lease is asked
 * first; the deletion then takes that stretch of an index. (Joined to a list of runs it would look for each of them among all
 * the open ones whenever the planner believes that there are few.)
 */
export const REAP = `
WITH b0 AS (SELECT id FROM credit_bucket WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE),
last AS (SELECT max(lease_until) AS lease_until, count(*)::int AS seen FROM (SELECT r.lease_until FROM open_run r
  WHERE r.account_id = $1 AND r.bucket_id = (SELECT id FROM b0) AND r.lease_until <= ledger_now()
  ORDER BY r.lease_until LIMIT ${MOST_AT_ONCE}) due),
o AS (DELETE FROM open_run r
  WHERE r.account_id = $1 AND r.bucket_id = (SELECT id FROM b0) AND r.lease_until <= (SELECT lease_until FROM last)
  RETURNING ${runColumnsOf('r')}),
r AS (INSERT INTO ended_run (${RUN_COLUMNS}, state, fail_code, ended_at)
  SELECT ${RUN_COLUMNS}, 'failed', 'lease_expired', ledger_now() FROM o),
s AS (SELECT bucket_id, sum(amount) AS amount FROM o GROUP BY 1),
b AS (UPDATE credit_bucket b SET held = b.held - s.amount FROM s WHERE b.account_id = $1 AND b.id = s.bucket_id)
SELECT count(*)::int AS reaped, (SELECT seen FROM last) AS seen FROM o`;

/** The same of one account. */
export const DUE_OF_ACCOUNT = `SELECT DISTINCT bucket_id FROM open_run
  WHERE account_id = $1 AND lease_until <= ledger_now() ORDER BY 1`;
