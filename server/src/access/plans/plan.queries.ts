import type { Connection } from '../../platform/database/connect.ts';
import { sessionIsActive } from '../callers/caller.fragment.ts';

/** Plan and overage settings of a locked account, and the current months. */
export interface PlanRow {
  accountId: string;
  plan: string;
  overageEnabled: boolean;
  overageCap: number | null;
  deleted: boolean;
  month: string;
  nextMonth: string;
}

// Reads the clock once, after the wait for the lock, so that plan and month match.
const LOCK = `
WITH a AS (SELECT * FROM account WHERE id = $1 FOR NO KEY UPDATE),
clock AS (SELECT date_trunc('month', ledger_now() AT TIME ZONE 'UTC') AS start FROM a)
SELECT a.id AS "accountId", a.overage_enabled AS "overageEnabled", a.overage_cap AS "overageCap",
  CASE WHEN a.next_plan_from <= clock.start AT TIME ZONE 'UTC' THEN a.next_plan ELSE a.plan END AS plan,
  a.deleted_at IS NOT NULL AS deleted, utc_text(clock.start AT TIME ZONE 'UTC') AS month,
  utc_text((clock.start + interval '1 month') AT TIME ZONE 'UTC') AS "nextMonth"
FROM a, clock`;

/** Locks and reads an account's row; null if there is none. */
export async function lockAccount(connection: Connection, accountId: string): Promise<PlanRow | null> {
  const [row] = await connection.query<PlanRow>(LOCK, [accountId]);
  return row ?? null;
}

/** A plan that is missing from the operator's list, and the accounts that use it now or from next month on. */
export interface UnlistedPlan {
  plan: string;
  accounts: number;
  /** Handles of the first five accounts; the id of an account without a handle. */
  some: string[];
}

// The database clock decides which plan is in force.
const UNLISTED = `
SELECT p.name AS plan, count(*)::int AS accounts,
  (array_agg(coalesce(a.handle, a.id::text) ORDER BY a.created_at, a.id))[1:5] AS some
FROM account a CROSS JOIN LATERAL (SELECT plan_in_force(a.plan, a.next_plan, a.next_plan_from) UNION SELECT a.next_plan) p (name)
WHERE a.deleted_at IS NULL AND p.name <> ALL ($1::text[]) GROUP BY 1 ORDER BY 1`;

/** Finds the plans of accounts (except deleted ones) that are missing from the operator's list. */
export function findUnlistedPlans(
  connection: Connection,
  listed: readonly string[],
): Promise<UnlistedPlan[]> {
  return connection.query<UnlistedPlan>(UNLISTED, [listed]);
}

/** Returns the account of a session, active or not; null for an unknown session. */
export async function findSessionAccount(
  { models, transaction }: Connection,
  sessionId: string,
): Promise<string | null> {
  const where = { id: sessionId };
  const session = await models.Session.findOne({ attributes: ['accountId'], where, transaction });
  return session?.accountId ?? null;
}

// Locks only the session, not the account.
const SHARE_SESSION = `
SELECT a.suspended_at IS NOT NULL AS suspended FROM session s JOIN account a ON a.id = s.account_id
WHERE s.id = $1 AND ${sessionIsActive('s')} FOR SHARE OF s`;

/** Locks an active session, so that it cannot be ended before the transaction ends; null if it has ended. */
export async function lockActiveSession(
  connection: Connection,
  sessionId: string,
): Promise<{ suspended: boolean } | null> {
  const [living] = await connection.query<{ suspended: boolean }>(SHARE_SESSION, [sessionId]);
  return living ?? null;
}
