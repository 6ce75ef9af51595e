import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { type AccountBucket, readBuckets } from '../ledger/account-buckets.ts';
import { openPeriod } from '../ledger/open-period.ts';
import { findPlan, type PlanBook, type PlanStanding, periodBuckets } from '../plans/plans.ts';

/** What an account is on and what it has, as shown to its owner and the operator. */
export interface AccountBalance extends PlanStanding {
  accountId: string;
  /** The plan that counts from `nextPlanFrom` on; both null where none is to come. */
  nextPlan: string | null;
  nextPlanFrom: string | null;
  /** In the order in which they pay. */
  buckets: AccountBucket[];
}

type Standing = Omit<AccountBalance, 'buckets'> & { deleted: boolean };

const STANDING = `
SELECT a.id AS "accountId", plan_in_force(a.plan, a.next_plan, a.next_plan_from) AS plan,
  CASE WHEN a.next_plan_from > ledger_now() THEN a.next_plan END AS "nextPlan",
  CASE WHEN a.next_plan_from > ledger_now() THEN utc_text(a.next_plan_from) END AS "nextPlanFrom",
  a.overage_enabled AS "overageEnabled", a.overage_cap AS "overageCap", a.deleted_at IS NOT NULL AS deleted
FROM account a WHERE a.id = $1`;

/**
 * An account's plan, agreements and balances now; with `ended` also balances whose time is over. Opens the running month
 * where no call has done so yet, so that what is shown is what can be spent. Throws not_found.
 */
export async function accountBalance(
  connection: Connection,
  planBook: PlanBook,
  accountId: string,
  options: { ended?: boolean } = {},
): Promise<AccountBalance> {
  const [found] = await connection.query<Standing>(STANDING, [accountId]);
  if (!found) throw new DomainError('not_found', 'There is no such account.');
  const { deleted, ...standing } = found;
  // A plan that the operator has taken out of the list opens nothing, and must not hide what there is.
  if (!deleted && findPlan(planBook, standing.plan)) {
    await openPeriod(connection, standing, periodBuckets(planBook, standing));
  }
  return { ...standing, buckets: await readBuckets(connection, accountId, options) };
}
