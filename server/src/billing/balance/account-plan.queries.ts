import type { LockedPlan } from '../../access/plans/lock-plan.ts';
import type { PlanSettings } from '../../access/plans/plans.ts';
import type { Connection } from '../../platform/database/connect.ts';

/** An account's current plan and overage settings, and its next plan. */
export interface AccountPlan extends PlanSettings {
  accountId: string;
  /** Scheduled plan, which takes effect at `nextPlanFrom`. Both are null if no change is scheduled. */
  nextPlan: string | null;
  nextPlanFrom: string | null;
}

// The database clock decides which plan is in force and which is next, in one read.
const PLAN_IN_FORCE = `
SELECT a.id AS "accountId", plan_in_force(a.plan, a.next_plan, a.next_plan_from) AS plan,
  CASE WHEN a.next_plan_from > ledger_now() THEN a.next_plan END AS "nextPlan",
  CASE WHEN a.next_plan_from > ledger_now() THEN utc_text(a.next_plan_from) END AS "nextPlanFrom",
  a.overage_enabled AS "overageEnabled", a.overage_cap AS "overageCap", a.deleted_at IS NOT NULL AS deleted
FROM account a WHERE a.id = $1`;

/** Reads the plan of an account, deleted or not; null if the account does not exist. */
export async function readAccountPlan(
  connection: Connection,
  accountId: string,
): Promise<(AccountPlan & { deleted: boolean }) | null> {
  const [found] = await connection.query<AccountPlan & { deleted: boolean }>(PLAN_IN_FORCE, [accountId]);
  return found ?? null;
}

/**
 * Stores the current plan, the overage settings and the scheduled plan. `nextPlan` takes effect next month; null
 * removes a scheduled change.
 */
export async function savePlan(
  { models, transaction }: Connection,
  { accountId, plan, overageEnabled, overageCap, nextMonth }: LockedPlan,
  nextPlan: string | null,
): Promise<void> {
  const nextPlanFrom = nextPlan === null ? null : new Date(nextMonth);
  await models.Account.update(
    { plan, overageEnabled, overageCap, nextPlan, nextPlanFrom },
    { where: { id: accountId }, transaction },
  );
}

/** Stores an account's overage settings. */
export async function saveOverage(
  { models, transaction }: Connection,
  { accountId, overageEnabled, overageCap }: LockedPlan,
): Promise<void> {
  await models.Account.update({ overageEnabled, overageCap }, { where: { id: accountId }, transaction });
}
