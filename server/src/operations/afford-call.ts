import type { Database } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import type { LookUp } from '../ledger/look-up.ts';
import { reapAccount } from '../ledger/reap.ts';
import { type PlanBook, type PlanStanding, planOf } from '../plans/plans.ts';
import { lookUpWithPeriods } from './identify-call.ts';
import type { OperationCall } from './operation-call.ts';

/** What opening and ending a run needs. */
export interface LedgerParts {
  database: Database;
  planBook: PlanBook;
  /** Told of a database failure after which the stored state decides. */
  onDoubt(ledgerId: string, error: unknown): void;
}

/** The 402: nothing can pay. Says so where the account's plan offers overage that its owner has not switched on. */
export function insufficientCredits(planBook: PlanBook, standing: PlanStanding): DomainError {
  const { overageCapCredits } = planOf(planBook, standing.plan);
  const offered = (overageCapCredits ?? 0) > 0 && !standing.overageEnabled;
  const overage = offered
    ? ` Your plan offers up to ${overageCapCredits} credits of overage a month, which is off: switch it on under Plan in the console.`
    : '';
  return new DomainError(
    'insufficient_credits',
    `Your free calls and credits do not cover the price of this call.${overage} ${offered ? 'Or add' : 'Add'} credits, or wait for the next period.`,
  );
}

/** Throws 402 where no bucket can pay, after the holds of dead runs were given back. */
export async function requireAffordable(
  { database, planBook }: LedgerParts,
  call: OperationCall,
  found: LookUp,
): Promise<void> {
  if (found.affordable) return;
  if (!found.reapable) throw insufficientCredits(planBook, found);
  await reapAccount(database, found.accountId);
  const again = await lookUpWithPeriods(database, planBook, call);
  if (!again.affordable) throw insufficientCredits(planBook, again);
}
