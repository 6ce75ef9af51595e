import { requireRecentSignIn } from '../../access/callers/session.ts';
import { type LockedPlan, lockPlan, lockSessionAccount } from '../../access/plans/lock-plan.ts';
import {
  findPlan,
  isAtLeast,
  overageCredits,
  type PlanBook,
  periodBuckets,
  planOf,
  requirePlan,
} from '../../access/plans/plans.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { changePeriod } from '../ledger/change-period.ts';
import { saveOverage, savePlan } from './account-plan.queries.ts';

/** Result of a plan change. */
export interface PlanChange {
  /** Plan before the change; it stays in force until `from` if the change is scheduled. */
  before: string;
  plan: string;
  /** Start of the month in which the new plan takes effect; null: immediately. */
  from: string | null;
}

/**
 * Changes an account's plan. If the new plan reduces nothing, it takes effect immediately: the current month's buckets
 * are raised or opened, and a scheduled change is cancelled. Any other plan takes effect next month; this month stays
 * the same. Setting the current plan again cancels a scheduled change. Keys beyond a lower plan's limit stay active.
 * Throws invalid_request, not_found.
 */
export async function setPlan(
  database: Database,
  planBook: PlanBook,
  accountId: string,
  name: string,
): Promise<PlanChange> {
  const plan = requirePlan(planBook, name);
  return inTransaction(database, async (connection) => {
    const account = withoutLapsedOverage(planBook, await lockPlan(connection, accountId));
    const before = account.plan;
    // A plan that is missing from the operator's list of plans grants nothing, so no new plan can reduce it.
    const current = findPlan(planBook, before);
    if (current && !isAtLeast(plan, current)) {
      await savePlan(connection, account, name);
      return { before, plan: name, from: account.nextMonth };
    }
    const raised = { ...account, plan: name };
    await savePlan(connection, raised, null);
    await changePeriod(connection, raised, periodBuckets(planBook, raised), `plan ${before} to ${name}`);
    return { before, plan: name, from: null };
  });
}

/**
 * Disables overage in the settings if the current plan has no overage. After a change to a plan that has it, the owner
 * must enable overage again.
 */
function withoutLapsedOverage(planBook: PlanBook, account: LockedPlan): LockedPlan {
  if (findPlan(planBook, account.plan)?.overageCapCredits) return account;
  return { ...account, overageEnabled: false, overageCap: null };
}

/** Overage up to a number of credits a month (null: the plan's cap), or none. */
export type OverageChoice = { enabled: true; capCredits: number | null } | { enabled: false };

/** Builds the choice from user input; throws invalid_request for a cap without overage. */
export function readOverageChoice(enabled: boolean, capCredits: number | null): OverageChoice {
  if (enabled) return { enabled, capCredits };
  if (capCredits === null) return { enabled };
  throw new DomainError('invalid_request', 'A cap requires overage: omit the cap, or enable overage.');
}

/**
 * Enables or disables an account's overage at once. Opens the current month's overage bucket or sets its total to the
 * cap, but not below what is used and held. Once overage is disabled, the bucket pays only for calls in progress. If
 * such a call fails, the credits that its hold releases can pay for a new call. A scheduled plan change remains.
 * Returns the monthly overage credits. Throws invalid_request, not_found; unavailable if the operator's list of plans
 * lacks the account's plan.
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

/**
 * Enables or disables overage for the account of a session with a recent sign-in. Throws the errors of `setOverage`;
 * unauthorized; key_paused if the account is suspended; sign_in_again.
 */
export function setOwnOverage(
  database: Database,
  planBook: PlanBook,
  sessionId: string,
  choice: OverageChoice,
): Promise<number> {
  return inTransaction(database, async (connection) => {
    const owner = await lockSessionAccount(connection, sessionId);
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
