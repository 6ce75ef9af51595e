import { OPERATIONS } from '../../access/plans/plans.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { isOfKind } from '../ledger/ledger.sql.ts';

/** SQL for the ids of the key $1 and of the keys that share its spending, because they replace each other. */
const SHARING = `SELECT k.id FROM access_key k JOIN access_key asked ON asked.account_id = k.account_id
    AND coalesce(asked.spends_as, asked.id) = coalesce(k.spends_as, k.id)
  WHERE asked.id = $1::uuid`;

/**
 * Waits for statements in progress that open runs of a key or of keys that it replaces, and holds back new ones until
 * the transaction ends. Without this lock, calls could spend more than a limit that is being set
 * (`key-limits.long.test.ts`).
 */
export async function excludeCalls(connection: Connection, keyId: string): Promise<void> {
  // Raw SQL: takes the advisory lock that the triggers take when they count runs. Keys that share their spending share
  // the lock.
  await connection.query(
    'SELECT pg_advisory_xact_lock(limit_lock_key(coalesce(spends_as, id))) FROM access_key WHERE id = $1',
    [keyId],
  );
}

/**
 * Counts again what a key and the keys that it replaces have spent this month, including what their open runs hold.
 * Reads the runs by the index on operation and time, because no index contains the key of a run. Deletes the stored
 * count; `recountSpending` stores the new one, unless the key has no limits.
 */
const RECOUNT = `WITH sharing AS MATERIALIZED (${SHARING}),
gone AS (DELETE FROM key_spending WHERE key_id = (SELECT coalesce(spends_as, id) FROM access_key WHERE id = $1)),
m AS (SELECT month_of(ledger_now()) AS since)
SELECT m.since::text AS since, count(r.amount)::int AS calls, coalesce(sum(r.amount) FILTER (WHERE r.source <> 'free'), 0)::int AS credits
FROM m LEFT JOIN LATERAL (
  SELECT o.amount, o.source FROM open_run o
  WHERE o.account_id = $2 AND coalesce(o.key_id, o.attributed_key_id) IN (SELECT id FROM sharing) AND o.created_at >= m.since
  UNION ALL SELECT e.amount, e.source FROM unnest($3::text[]) AS asked (operation) CROSS JOIN LATERAL (
    SELECT r.amount, r.source FROM ended_run r WHERE ${isOfKind('r', '$2::uuid', 'asked.operation', "'settled'")}
      AND r.created_at >= m.since AND coalesce(r.key_id, r.attributed_key_id) IN (SELECT id FROM sharing)) e) r ON true
GROUP BY m.since`;

/**
 * Counts again what a key and the keys that it replaces have spent this month, and stores the sums if the key has a
 * limit. Call it after `excludeCalls`, in the same transaction.
 */
export async function recountSpending(
  connection: Connection,
  accountId: string,
  keyId: string,
): Promise<void> {
  const [counted] = await connection.query<{ since: string; calls: number; credits: number }>(RECOUNT, [
    keyId,
    accountId,
    OPERATIONS,
  ]);
  if (!counted) throw new Error('a count has one row');
  // Raw SQL: a separate statement, because one statement cannot delete a row and insert it again.
  await connection.query(
    `INSERT INTO key_spending (key_id, month, calls, credits) SELECT coalesce(k.spends_as, k.id), $2::timestamptz, $3, $4 FROM access_key k
     WHERE k.id = $1 AND (k.monthly_calls IS NOT NULL OR k.monthly_credits IS NOT NULL)`,
    [keyId, counted.since, counted.calls, counted.credits],
  );
}

/**
 * Monthly limits of a key (null: no limit), and what it has spent in the current month, including what its open runs
 * hold and what the keys that it replaces have spent. Spending is 0 if the key has no limit, because it is not counted
 * then.
 */
export interface KeySpendingRow {
  id: string;
  monthlyCalls: number | null;
  monthlyCredits: number | null;
  calls: number;
  credits: number;
  /** Start and end of the current month, ISO 8601. */
  from: string;
  to: string;
}

/** Reads the limits of a key of the account and what it has spent this month; null for an unknown key. */
export async function findKeySpending(
  connection: Connection,
  accountId: string,
  keyId: string,
): Promise<KeySpendingRow | null> {
  const [row] = await connection.query<KeySpendingRow>(
    `SELECT k.id, k.monthly_calls AS "monthlyCalls", k.monthly_credits AS "monthlyCredits",
       coalesce(s.calls, 0)::int AS calls, coalesce(s.credits, 0)::int AS credits, utc_text(m.since) AS "from",
       utc_text((m.since AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC') AS "to"
     FROM access_key k CROSS JOIN (SELECT month_of(ledger_now()) AS since) m
     LEFT JOIN key_spending s ON s.key_id = coalesce(k.spends_as, k.id) AND s.month = m.since WHERE k.account_id = $1 AND k.id = $2`,
    [accountId, keyId],
  );
  return row ?? null;
}
