import { keySlots } from '../../../access/keys/create-key.ts';
import { hasUsedKey } from '../../../access/keys/list-keys.ts';
import { findPlan, type PlanBook } from '../../../access/plans/plans.ts';
import type { AccountBalance } from '../../../billing/balance/account-balance.ts';
import { ALL_RECEIPTS, lookUpReceipts } from '../../../billing/receipts/read-receipts.ts';
import { listOwnAgents } from '../../../directory/own-agents/own-agents.ts';
import { hasProof } from '../../../ownership/proofs/link-account.ts';
import type { ConsoleDependencies, Visit } from '../frame/console-router.ts';

/** Number of the account's newest listings among which a listing without a proof of ownership is searched. */
const CHECKED_LISTINGS = 20;

/** Loads the account state that decides the next step. `balance` is the account's balance that the page shows. */
export async function loadAccountState(
  { database, planBook }: ConsoleDependencies,
  visit: Visit,
  balance: AccountBalance,
): Promise<AccountState> {
  const { accountId, credential } = visit;
  const { handle, plan } = await visit.account();
  const { taken } = await keySlots(database, planBook, { accountId, plan });
  const anyCall = { ...ALL_RECEIPTS, limit: 1 };
  const { runs } = await lookUpReceipts(database, credential, anyCall);
  const { records } = await listOwnAgents(database, accountId, { cursor: null, limit: CHECKED_LISTINGS });
  const unclaimed = records.find(({ verified }) => !verified);
  return {
    handle,
    keys: taken,
    hasUsedKey: await hasUsedKey(database, accountId),
    hasCalls: runs.length > 0,
    hasProof: await hasProof(database, accountId),
    unclaimed: unclaimed ? { agentId: unclaimed.agentId, name: unclaimed.name } : null,
    funds: fundsOf(balance, planBook),
    canAllowOverage: canAllowOverage(balance, planBook),
  };
}

/** Sums up the balances in credits. Each free call counts as the credits that the most expensive operation costs. */
function fundsOf({ buckets }: AccountBalance, { prices }: PlanBook): AccountState['funds'] {
  const dearest = Math.max(...Object.values(prices));
  const cheapest = Math.min(...Object.values(prices));
  let [left, total, canPay] = [0, 0, false];
  for (const bucket of buckets) {
    const weight = bucket.unit === 'call' ? dearest : 1;
    left += bucket.left * weight;
    total += bucket.total * weight;
    canPay ||= bucket.left * weight >= cheapest;
  }
  return { left, total, canPay };
}

function canAllowOverage({ plan, overageEnabled }: AccountBalance, planBook: PlanBook): boolean {
  return !overageEnabled && (findPlan(planBook, plan)?.overageCapCredits ?? 0) > 0;
}
/** Account state that decides the next step. */
export interface AccountState {
  handle: string | null;
  /** Number of active keys. */
  keys: number;
  /** True if any of these keys has been used. */
  hasUsedKey: boolean;
  hasCalls: boolean;
  /** True if an account on another site is proved. */
  hasProof: boolean;
  /** The newest listing without a proof of ownership, of the newest CHECKED_LISTINGS; null for none. */
  unclaimed: { agentId: string; name: string } | null;
  /** Credits left and granted over all sources, and whether any source can pay for the cheapest call. */
  funds: { left: number; total: number; canPay: boolean };
  /** True if the plan offers overage that is not enabled. */
  canAllowOverage: boolean;
}

/** A step that the console suggests, with its reason (`why`). */
export interface NextStep {
  id: 'handle' | 'funds' | 'low' | 'key' | 'call' | 'unused' | 'claim' | 'proof';
  isDone: boolean;
  text: string;
  why: string;
  path: string;
}

/** Share of granted credits below which the balance is low. */
const LOW_SHARE = 0.1;

/**
 * Lists an account's next steps: first a missing or low balance, then the steps of a new account in order, including
 * finished ones, then improvements. All pages that suggest a next step use this list.
 */
export function nextSteps(standing: AccountState): NextStep[] {
  return [...fundSteps(standing), ...firstSteps(standing), ...furtherSteps(standing), proofStep(standing)];
}

/** Returns the first open step; null if all are done. */
export function nextStep(standing: AccountState): NextStep | null {
  return nextSteps(standing).find(({ isDone }) => !isDone) ?? null;
}

function fundSteps({ funds: { left, total, canPay }, canAllowOverage }: AccountState): NextStep[] {
  const way = canAllowOverage
    ? { text: 'Allow overage', path: '/console/plan#overage' }
    : { text: 'See what the plans include', path: '/console/plan#plans' };
  const more = canAllowOverage
    ? 'Allow overage, or ask the operator for credits.'
    : 'Ask the operator for credits or another plan.';
  if (!canPay)
    return [
      {
        id: 'funds',
        isDone: false,
        ...way,
        why: `You have no free calls or credits left, so calls are refused. ${more}`,
      },
    ];
  if (left >= total * LOW_SHARE) return [];
  return [
    { id: 'low', isDone: false, ...way, why: `Less than a tenth of your credits and calls is left. ${more}` },
  ];
}

function firstSteps({ handle, keys, hasCalls }: AccountState): NextStep[] {
  return [
    {
      id: 'handle',
      isDone: handle !== null,
      text: 'Choose your handle',
      why: 'Your listings appear under it.',
      path: '/console/handle',
    },
    {
      id: 'key',
      isDone: keys > 0,
      text: 'Create an access key',
      why: 'Programs need it to call the API.',
      path: '/console/keys/new',
    },
    {
      id: 'call',
      isDone: hasCalls,
      text: 'Make a first call',
      why: 'Run it here: a free call pays for it.',
      path: '/console/run',
    },
  ];
}

function furtherSteps({ keys, hasUsedKey, hasCalls, unclaimed }: AccountState): NextStep[] {
  const steps: NextStep[] = [];
  if (keys > 0 && hasCalls && !hasUsedKey)
    steps.push({
      id: 'unused',
      isDone: false,
      text: 'Call from your program',
      why: 'Your key has not been used yet. The guide has a first call to copy.',
      path: '/docs#first-call',
    });
  if (unclaimed !== null)
    steps.push({
      id: 'claim',
      isDone: false,
      text: `Claim ${unclaimed.name}`,
      why: 'It is listed, but you have not proved that it is yours.',
      path: `/console/agents/${unclaimed.agentId}/claim`,
    });
  return steps;
}

function proofStep({ hasProof }: AccountState): NextStep {
  return {
    id: 'proof',
    isDone: hasProof,
    text: 'Prove an account of yours',
    why: 'Agents and skills in its repositories are then verified as yours, and no other account can claim them.',
    path: '/console/accounts',
  };
}
