import { sessionLives } from '../callers/standing.condition.ts';
import type { Connection } from '../database/connect.ts';

/** An account's plan and agreements as they are while its row is locked, and the months that they count for. */
export interface PlanRow {
  accountId: string;
  plan: string;
  overageEnabled: boolean;
  overageCap: number | null;
  deleted: boolean;
  month: string;
  nextMonth: string;
}

// The clock is read once, after the wait for the row, so that plan and month are of one moment.
const LOCK = `
WITH a AS (SELECT * FROM account WHERE id = $1 FOR NO KEY UPDATE),
clock AS (SELECT date_trunc('month', ledger_now() AT TIME ZONE 'UTC') AS start FROM a)
SELECT a.id AS "accountId", a.overage_enabled AS "overageEnabled", a.overage_cap AS "overageCap",
  CASE WHEN a.next_plan_from <= clock.start AT TIME ZONE 'UTC' THEN a.next_plan ELSE a.plan END AS plan,
  a.deleted_at IS NOT NULL AS deleted, utc_text(clock.start AT TIME ZONE 'UTC') AS month,
  utc_text((clock.start + interval '1 month') AT TIME ZONE 'UTC') AS "nextMonth"
FROM a, clock`;

/** Locks an account's row and reads it; null where there is none. */
export async function lockAccount(connection: Connection, accountId: string): Promise<PlanRow | null> {
  const [row] = await connection.query<PlanRow>(LOCK, [accountId]);
  return row ?? null;
}

/** A plan that a list lacks, and accounts that are on it or will be from next month on. */
export interface UnlistedPlan {
  plan: string;
  accounts: number;
  /** Handles, or ids where there is none: the first few. */
  some: string[];
}

// Which plan is in force is a question to the database's clock.
const UNLISTED = `
SELECT p.name AS plan, count(*)::int AS accounts,
  (array_agg(coalesce(a.handle, a.id::text) ORDER BY a.created_at, a.id))[1:5] AS some
FROM account a CROSS JOIN LATERAL (SELECT plan_in_force(a.plan, a.next_plan, a.next_plan_from) UNION SELECT a.next_plan) p (name)
WHERE a.deleted_at IS NULL AND p.name <> ALL ($1::text[]) GROUP BY 1 ORDER BY 1`;

/** Finds the plans of accounts, deleted ones apart, that are not among these. */
export function findUnlistedPlans(
  connection: Connection,
  listed: readonly string[],
): Promise<UnlistedPlan[]> {
  return connection.query<UnlistedPlan>(UNLISTED, [listed]);
}

/** The account that a session was opened for, whether it lives or not; null where there was never such a session. */
export async function findSessionAccount(
  { models, transaction }: Connection,
  sessionId: string,
): Promise<string | null> {
  const where = { id: sessionId };
  const session = await models.Session.findOne({ attributes: ['accountId'], where, transaction });
  return session?.accountId ?? null;
}

// A lock on the session, and on nothing else that the statement reads.
const SHARE_SESSION = `
SELECT a.suspended_at IS NOT NULL AS suspended FROM session s JOIN account a ON a.id = s.account_id
WHERE s.id = $1 AND ${sessionLives('s')} FOR SHARE OF s`;

/** Keeps a living session from being ended before the transaction is over; null where it lives no more. */
export async function shareLivingSession(
  connection: Connection,
  sessionId: string,
): Promise<{ suspended: boolean } | null> {
  const [living] = await connection.query<{ suspended: boolean }>(SHARE_SESSION, [sessionId]);
  return living ?? null;
}
