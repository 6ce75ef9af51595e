import type { Connection } from '../database/connect.ts';
import type { PeriodBucket } from '../plans/plans.ts';

const SQL = `
WITH month AS (SELECT date_trunc('month', ledger_now() AT TIME ZONE 'UTC') AS start),
b AS (INSERT INTO credit_bucket (account_id, source, unit, period_kind, valid_from, valid_to, total)
  SELECT $1, w.source, w.unit, 'month', month.start AT TIME ZONE 'UTC',
    (month.start + interval '1 month') AT TIME ZONE 'UTC', w.total
  FROM month, jsonb_to_recordset($2::jsonb) AS w(source text, unit text, total bigint)
  ON CONFLICT (account_id, source, valid_from) WHERE source IN ('free', 'included', 'overage') DO NOTHING
  RETURNING account_id, id, total)
INSERT INTO ledger_entry (account_id, bucket_id, kind, d_total) SELECT account_id, id, 'grant', total FROM b`;

/**
 * S0b: opens the running month's buckets of a plan that do not exist yet, each with its grant entry.
 * A statement of its own, because no statement sees its own insert; any number at once make one bucket.
 */
export async function openPeriod(
  connection: Connection,
  accountId: string,
  buckets: PeriodBucket[],
): Promise<void> {
  await connection.query(SQL, [accountId, JSON.stringify(buckets)]);
}
