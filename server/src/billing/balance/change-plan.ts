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
  /** Plan in force until now (and until `from`, if the change is scheduled). */
  before: string;
  plan: string;
  /** Start of the month in which the new plan takes effect; null: immediately. */
  from: string | null;
}

/**
 * Changes an account's plan. A plan that reduces nothing takes effect immediately: raises or opens the current
 * month's buckets and cancels a scheduled change. Any other plan takes effect next month; this month stays the same.
 * Setting the current plan again cancels a scheduled change. Keys beyond a lower plan's limit stay active. Throws
 * invalid_request, not_found.
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
    // A plan missing from the operator's list grants nothing, so no new plan can reduce it.
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

/** Disables overage if the plan has none; the owner must enable it again on a later plan. */
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
 * Enables or disables overage of an account at once: opens the current month's overage bucket or sets it to the cap,
 * but never below what is used and held. After disabling it, the bucket still pays for calls in progress, and for new
 * calls only if such a call fails and releases its hold. A scheduled plan change remains. Throws invalid_request,
 * not_found; returns the monthly overage credits.
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
 * Enables or disables overage for the account of a recent console session. Also throws unauthorized and
 * sign_in_again.
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
