import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import type { PlanStanding } from './plans.ts';

/** An account's plan and agreements as they are while its row is locked. */
export interface LockedPlan extends PlanStanding {
  accountId: string;
  /** Start of the running month, and of the next one. */
  month: string;
  nextMonth: string;
}

interface Row {
  plan: string;
  overage_enabled: boolean;
  overage_cap: number | null;
  deleted: boolean;
  month: string;
  next_month: string;
}

// The clock is read once, after the wait for the row, so that plan and month are of one moment.
const SQL = `
WITH a AS (SELECT * FROM account WHERE id = $1 FOR NO KEY UPDATE),
clock AS (SELECT date_trunc('month', ledger_now() AT TIME ZONE 'UTC') AS start FROM a)
SELECT CASE WHEN a.next_plan_from <= clock.start AT TIME ZONE 'UTC' THEN a.next_plan ELSE a.plan END AS plan,
  a.overage_enabled, a.overage_cap, a.deleted_at IS NOT NULL AS deleted,
  utc_text(clock.start AT TIME ZONE 'UTC') AS month,
  utc_text((clock.start + interval '1 month') AT TIME ZONE 'UTC') AS next_month
FROM a, clock`;

/**
 * Locks the account's row against every other change of its plan, keys and agreements, and against the opening of a month.
 * Taken before any bucket or key. Throws not_found, and invalid_request for a deleted account.
 */
export async function lockPlan(connection: Connection, accountId: string): Promise<LockedPlan> {
  const [row] = await connection.query<Row>(SQL, [accountId]);
  if (!row) throw new DomainError('not_found', 'There is no such account.');
  if (row.deleted) throw new DomainError('invalid_request', 'The account was deleted, which is final.');
  return {
    accountId,
    plan: row.plan,
    overageEnabled: row.overage_enabled,
    overageCap: row.overage_cap,
    month: row.month,
    nextMonth: row.next_month,
  };
}

/** Stores the plan in force and the agreements on overage, with the plan of the next month where it is another. */
export async function savePlan(
  connection: Connection,
  { accountId, plan, overageEnabled, overageCap, nextMonth }: LockedPlan,
  nextPlan: string | null,
): Promise<void> {
  await connection.query(
    `UPDATE account SET plan = $2, overage_enabled = $3, overage_cap = $4, next_plan = $5,
       next_plan_from = CASE WHEN $5::text IS NULL THEN NULL ELSE $6::timestamptz END WHERE id = $1`,
    [accountId, plan, overageEnabled, overageCap, nextPlan, nextMonth],
  );
}

/** Stores an account's agreement on overage. */
export async function saveOverage(
  connection: Connection,
  { accountId, overageEnabled, overageCap }: LockedPlan,
): Promise<void> {
  await connection.query('UPDATE account SET overage_enabled = $2, overage_cap = $3 WHERE id = $1', [
    accountId,
    overageEnabled,
    overageCap,
  ]);
}
