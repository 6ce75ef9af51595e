import type { Connection } from '../database/connect.ts';
import type { LockedPlan } from '../plans/lock-plan.ts';
import type { PlanStanding } from '../plans/plans.ts';

/** An account's plan and agreements as they stand now, and the plan that is to come. */
export interface AccountPlan extends PlanStanding {
  accountId: string;
  /** The plan that counts from `nextPlanFrom` on; both null where none is to come. */
  nextPlan: string | null;
  nextPlanFrom: string | null;
}

// Which plan is in force, and which is to come, is for the database's clock to say, in one reading.
const STANDING = `
SELECT a.id AS "accountId", plan_in_force(a.plan, a.next_plan, a.next_plan_from) AS plan,
  CASE WHEN a.next_plan_from > ledger_now() THEN a.next_plan END AS "nextPlan",
  CASE WHEN a.next_plan_from > ledger_now() THEN utc_text(a.next_plan_from) END AS "nextPlanFrom",
  a.overage_enabled AS "overageEnabled", a.overage_cap AS "overageCap", a.deleted_at IS NOT NULL AS deleted
FROM account a WHERE a.id = $1`;

/** Reads it, for a deleted account too; null where there is no such account. */
export async function readAccountPlan(
  connection: Connection,
  accountId: string,
): Promise<(AccountPlan & { deleted: boolean }) | null> {
  const [found] = await connection.query<AccountPlan & { deleted: boolean }>(STANDING, [accountId]);
  return found ?? null;
}

/** Stores the plan in force and the agreements on overage, with the plan of the next month where it is another. */
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

/** Stores an account's agreement on overage. */
export async function saveOverage(
  { models, transaction }: Connection,
  { accountId, overageEnabled, overageCap }: LockedPlan,
): Promise<void> {
  await models.Account.update({ overageEnabled, overageCap }, { where: { id: accountId }, transaction });
}
