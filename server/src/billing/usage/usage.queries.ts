import type { Day } from '../../access/plans/days.ts';
import { OPERATIONS } from '../../access/plans/plans.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { FRESH_PLAN } from '../../platform/database/send-statement.ts';
import { RUN_STATES } from '../ledger/billing-context.ts';
import { isOfKind } from '../ledger/ledger.sql.ts';
import type { UsageFilter, UsageRow } from './usage-by-day.ts';

const ENDED = `SELECT r.* FROM unnest($2::text[]) o(operation), unnest($3::text[]) s(state), usage_run r
    WHERE r.state <> 'reserved' AND ${isOfKind('r', '$1::uuid', 'o.operation', 's.state')}`;
const OPEN = "SELECT * FROM usage_run WHERE account_id = $1 AND operation = ANY ($2) AND state = 'reserved'";
// The index orders ended runs by operation, state and time. The statement therefore lists operations and states, and
// reads one index range for each pair of them. Open runs are few and have another index. Rows are grouped by bucket,
// not only by source, because a source may have several buckets, and a call at the turn of a month may be paid from the
// bucket of the old month.
const SUMS = `${FRESH_PLAN}
SELECT to_char(u.day, 'YYYY-MM-DD') AS day, u.operation, u.key_id AS "keyId", k.name AS "keyName",
  k.last_four AS "keyLastFour", u.bucket_id AS "bucketId", b.source, b.unit, b.period_kind AS period,
  utc_text(b.valid_from) AS "periodFrom", utc_text(b.valid_to) AS "periodTo",
  u.settled_calls AS "settledCalls", u.failed_calls AS "failedCalls", u.held_calls AS "heldCalls", u.used, u.held
FROM (SELECT date_trunc('day', r.created_at AT TIME ZONE 'UTC') AS day, r.operation,
    coalesce(r.key_id, r.attributed_key_id) AS key_id, r.bucket_id,
    count(*) FILTER (WHERE r.state = 'settled') AS settled_calls,
    count(*) FILTER (WHERE r.state = 'failed') AS failed_calls,
    count(*) FILTER (WHERE r.state = 'reserved') AS held_calls,
    coalesce(sum(r.amount) FILTER (WHERE r.state = 'settled'), 0) AS used,
    coalesce(sum(r.amount) FILTER (WHERE r.state = 'reserved'), 0) AS held
  FROM (${ENDED} UNION ALL ${OPEN}) r
  WHERE r.created_at >= $4::timestamp AT TIME ZONE 'UTC' AND r.created_at < $5::timestamp AT TIME ZONE 'UTC'
    AND ($6::uuid IS NULL OR coalesce(r.key_id, r.attributed_key_id) = $6) AND ($7::text IS NULL OR r.source = $7)
  GROUP BY 1, 2, 3, 4) u
JOIN credit_bucket b ON b.account_id = $1 AND b.id = u.bucket_id
LEFT JOIN access_key k ON k.id = u.key_id`;

/** Sums an account's usage from the day `from` up to, but not including, the day `before`. The rows are unordered. */
export function sumUsage(
  connection: Connection,
  accountId: string,
  filter: UsageFilter,
  [from, before]: readonly [Day, Day],
): Promise<UsageRow[]> {
  const { keyId, source } = filter;
  const bind = [accountId, operationsOf(filter), RUN_STATES, from, before, keyId, source];
  return connection.query<UsageRow>(SUMS, bind);
}

const LATEST_RUN = `SELECT max(r.created_at) AS at FROM usage_run r
    WHERE ($4::timestamp IS NULL OR r.created_at < $4::timestamp AT TIME ZONE 'UTC')`;
const LATEST = `${FRESH_PLAN}
SELECT to_char(max(latest.at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day
FROM unnest($2::text[]) o(operation), unnest($3::text[]) s(state), LATERAL (
  (${LATEST_RUN} AND r.state <> 'reserved' AND ${isOfKind('r', '$1::uuid', 'o.operation', 's.state')})
  UNION ALL (${LATEST_RUN} AND r.account_id = $1 AND r.operation = o.operation
    AND s.state = 'reserved' AND r.state = 'reserved')) latest`;

/**
 * Returns the latest day on which the account made a call; only days before `before` if it is not null. Returns null if
 * there is no such day. Uses only the filter's operation and ignores its other fields.
 */
export async function latestUsageDay(
  connection: Connection,
  accountId: string,
  filter: UsageFilter,
  before: Day | null,
): Promise<Day | null> {
  const bind = [accountId, operationsOf(filter), RUN_STATES, before];
  const [row] = await connection.query<{ day: Day | null }>(LATEST, bind);
  return row?.day ?? null;
}

function operationsOf({ operation }: UsageFilter): readonly string[] {
  return operation === null ? OPERATIONS : [operation];
}

/** Returns today's date in UTC, by the database clock. */
export async function readToday(connection: Connection): Promise<Day> {
  const [row] = await connection.query<{ day: Day }>(
    "SELECT to_char(ledger_now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day",
  );
  return row?.day ?? '';
}
