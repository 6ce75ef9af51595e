import type { Connection } from '../database/connect.ts';
import type { PeriodBucket, PlanStanding } from '../plans/plans.ts';
import { OPEN_PERIOD } from './open-period.sql.ts';

/**
 * S0b: opens the running month's buckets of an account that do not exist yet, each with its grant entry; none where the
 * account's standing is no longer the one that the buckets were made from, so that the caller reads it again.
 * A statement of its own, because no statement sees its own insert; any number at once make one bucket.
 */
export async function openPeriod(
  connection: Connection,
  account: PlanStanding & { accountId: string },
  buckets: PeriodBucket[],
): Promise<void> {
  const { accountId, plan, overageEnabled, overageCap } = account;
  await connection.query(OPEN_PERIOD, [accountId, JSON.stringify(buckets), plan, overageEnabled, overageCap]);
}
