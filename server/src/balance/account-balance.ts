import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { type AccountBucket, readBuckets } from '../ledger/account-buckets.ts';
import { openPeriod } from '../ledger/open-period.ts';
import { findPlan, type PlanBook, periodBuckets } from '../plans/plans.ts';
import { type AccountPlan, readAccountPlan } from './account-plan.repository.ts';

/** What an account is on and what it has, as shown to its owner and the operator. */
export interface AccountBalance extends AccountPlan {
  /** In the order in which they pay. */
  buckets: AccountBucket[];
}

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
  const found = await readAccountPlan(connection, accountId);
  if (!found) throw new DomainError('not_found', 'There is no such account.');
  const { deleted, ...standing } = found;
  // A plan that the operator has taken out of the list opens nothing, and must not hide what there is.
  if (!deleted && findPlan(planBook, standing.plan)) {
    await openPeriod(connection, standing, periodBuckets(planBook, standing));
  }
  return { ...standing, buckets: await readBuckets(connection, accountId, options) };
}
