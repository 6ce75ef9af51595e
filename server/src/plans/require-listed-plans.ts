import type { Connection } from '../database/connect.ts';
import { findUnlistedPlans, type UnlistedPlan } from './plan.repository.ts';
import type { PlanBook } from './plans.ts';

/** Throws an Error that names every plan that accounts are on and the list lacks, with accounts and what to do. */
export async function requireListedPlans(
  connection: Connection,
  planBook: PlanBook,
  path: string,
): Promise<void> {
  const unlisted = await findUnlistedPlans(connection, Object.keys(planBook.plans));
  if (unlisted.length === 0) return;
  throw new Error(
    `PLANS_FILE ${path} lacks ${unlisted.map(describe).join(' and ')}. Put the plan back into the file, or move each account to another plan: plan set --account <handle> --plan free.`,
  );
}

function describe({ plan, accounts, some }: UnlistedPlan): string {
  const others = accounts > some.length ? ` and ${accounts - some.length} more` : '';
  return `the plan "${plan}" of ${accounts} account${accounts === 1 ? '' : 's'} (${some.join(', ')}${others})`;
}
