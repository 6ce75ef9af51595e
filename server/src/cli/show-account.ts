import type { CountedAccount } from '../access/callers/require-account.ts';
import { findPlan, overageCredits } from '../access/plans/plans.ts';
import { accountBalance } from '../billing/balance/account-balance.ts';
import { printTable } from './read-option.ts';
import { print, type Tools } from './with-database.ts';

/**
 * Prints an account's state, plan, overage and balances. The unit of each balance is printed: calls for the source
 * `free`, credits for all other sources.
 */
export async function showAccount(
  { database, planBook }: Tools,
  account: CountedAccount,
  options: { ended?: boolean },
): Promise<void> {
  const balance = await accountBalance(database, planBook, account.id, options);
  const plan = findPlan(planBook, balance.plan);
  print(
    `account ${account.id} (${account.handle ?? 'no handle yet'}), ${account.state}, since ${account.createdAt}`,
  );
  const next = balance.nextPlan ? `; ${balance.nextPlan} from ${balance.nextPlanFrom} on` : '';
  print(`plan ${balance.plan}${plan ? '' : ', which is missing from the list of plans'}${next}`);
  const overage = plan ? overageCredits(plan, balance) : 0;
  print(overage > 0 ? `overage up to ${overage} credits a month` : 'no overage');
  print(`${account.activeKeys}${plan ? ` of ${plan.activeKeys}` : ''} active keys`);
  if (balance.buckets.length === 0) print('no balances');
  printTable(
    balance.buckets.map(({ id, source, unit, total, used, held, left, from, to }) => ({
      bucket: id,
      source,
      unit,
      total,
      used,
      held,
      left,
      from,
      to,
    })),
  );
}
