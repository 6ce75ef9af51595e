import type { Connection } from '../database/connect.ts';
import type { PeriodBucket } from '../plans/plans.ts';
import { CHANGE_PERIOD } from './change-period.sql.ts';

/**
 * Makes a month's buckets right after a change of plan or of overage, and opens those that are missing. Free and included
 * are raised to what the plan gives and never lowered; overage is set to its cap, but not below what is used and held.
 * The caller has locked the account (lockPlan), whose month this is; every change is a ledger entry with the note.
 */
export async function changePeriod(
  connection: Connection,
  account: { accountId: string; month: string },
  buckets: readonly PeriodBucket[],
  note: string,
): Promise<void> {
  await connection.query(CHANGE_PERIOD, [account.accountId, account.month, JSON.stringify(buckets), note]);
}
