import { findPlan, type PlanBook, periodBuckets } from '../../access/plans/plans.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { type AccountBucket, readBuckets } from '../ledger/account-buckets.ts';
import { openPeriod } from '../ledger/change-period.ts';
import { type AccountPlan, readAccountPlan } from './account-plan.queries.ts';

/** Plan and buckets of an account, as shown to its owner and the operator. */
export interface AccountBalance extends AccountPlan {
  /** Buckets in payment order. */
  buckets: AccountBucket[];
}

/**
 * Returns an account's current plan, overage settings and buckets; `ended` includes expired buckets. First opens the
 * missing buckets of the current month, so that the result shows what can be spent. Throws not_found.
 */
export async function accountBalance(
  connection: Connection,
  planBook: PlanBook,
  accountId: string,
  options: { ended?: boolean } = {},
): Promise<AccountBalance> {
  const found = await readAccountPlan(connection, accountId);
  if (!found) throw new DomainError('not_found', 'There is no such account.');
  const { deleted, ...settings } = found;
  // If the operator's list of plans lacks this plan, no buckets are opened, but existing ones are still shown.
  if (!deleted && findPlan(planBook, settings.plan)) {
    await openPeriod(connection, settings, periodBuckets(planBook, settings));
  }
  return { ...settings, buckets: await readBuckets(connection, accountId, options) };
}
