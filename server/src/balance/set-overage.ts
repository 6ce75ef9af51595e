import { requireRecentSignIn } from '../callers/recent-sign-in.ts';
import type { Connection, Database } from '../database/connect.ts';
import { inTransaction } from '../database/transaction.ts';
import { DomainError } from '../domain-error.ts';
import { changePeriod } from '../ledger/change-period.ts';
import { lockOwner } from '../plans/lock-owner.ts';
import { type LockedPlan, lockPlan } from '../plans/lock-plan.ts';
import { overageCredits, type PlanBook, planOf } from '../plans/plans.ts';
import { saveOverage } from './account-plan.repository.ts';

/** What an account agrees to: overage up to so many credits a month (null: its plan's whole cap), or none. */
export type OverageChoice = { enabled: true; capCredits: number | null } | { enabled: false };

/** The choice that somebody put in words; throws invalid_request for a cap without overage. */
export function readOverageChoice(enabled: boolean, capCredits: number | null): OverageChoice {
  if (enabled) return { enabled, capCredits };
  if (capCredits === null) return { enabled };
  throw new DomainError('invalid_request', 'A cap needs overage: leave the cap out, or enable overage.');
}

/**
 * Opts an account in to overage or out of it, at once: the running month's overage is opened or set to the cap, and never
 * below what is used and held. After opting out only a call that is under way may still be paid by overage, or another
 * one in its place where it fails. A plan change that is to come stays. Throws invalid_request, not_found; answers the
 * credits of overage a month.
 */
export function setOverage(
  database: Database,
  planBook: PlanBook,
  accountId: string,
  choice: OverageChoice,
): Promise<number> {
  return inTransaction(database, async (connection) =>
    agree(connection, planBook, await lockPlan(connection, accountId), choice),
  );
}

/** The same for the account of a recent console session. Throws unauthorized and sign_in_again too. */
export function setOwnOverage(
  database: Database,
  planBook: PlanBook,
  sessionId: string,
  choice: OverageChoice,
): Promise<number> {
  return inTransaction(database, async (connection) => {
    const owner = await lockOwner(connection, sessionId);
    await requireRecentSignIn(connection, sessionId);
    return agree(connection, planBook, owner, choice);
  });
}

async function agree(
  connection: Connection,
  planBook: PlanBook,
  account: LockedPlan,
  choice: OverageChoice,
): Promise<number> {
  const agreed = choice.enabled
    ? { overageEnabled: true, overageCap: requireCap(planBook, account.plan, choice.capCredits) }
    : { overageEnabled: false, overageCap: null };
  const changed = { ...account, ...agreed };
  await saveOverage(connection, changed);
  const total = overageCredits(planOf(planBook, account.plan), changed);
  const note = choice.enabled ? `overage up to ${total} credits` : 'no overage';
  await changePeriod(connection, changed, [{ source: 'overage', unit: 'credit', total }], note);
  return total;
}

function requireCap(planBook: PlanBook, plan: string, capCredits: number | null): number | null {
  const most = planOf(planBook, plan).overageCapCredits ?? 0;
  if (most === 0) {
    const others = Object.entries(planBook.plans).filter(([, other]) => other.overageCapCredits);
    const names = others.map(([name]) => name).join(', ') || 'none';
    throw new DomainError(
      'invalid_request',
      `The ${plan} plan has no overage. Plans that have it: ${names}.`,
    );
  }
  if (capCredits === null || (Number.isInteger(capCredits) && capCredits >= 1 && capCredits <= most)) {
    return capCredits;
  }
  throw new DomainError(
    'invalid_request',
    `The cap of overage must be a whole number of credits from 1 to ${most}, which is the cap of the ${plan} plan.`,
  );
}
