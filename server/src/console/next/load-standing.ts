import type { AccountBalance } from '../../balance/account-balance.ts';
import { listOwnAgents } from '../../directory/own-agents/own-agents.ts';
import { keySlots } from '../../keys/key-slots.ts';
import { hasUsedKey } from '../../keys/list-keys.ts';
import { findPlan, type PlanBook } from '../../plans/plans.ts';
import { hasProof } from '../../proofs/read-links.ts';
import { ALL_RECEIPTS, lookUpReceipts } from '../../receipts/read-receipts.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { Visit } from '../frame/visit.ts';
import type { Standing } from './next-steps.ts';

/** Newest listings looked at. */
const LOOKED_AT = 20;

/** All that decides what a visitor does next; `balance` is the account's own, as the page shows it. */
export async function loadStanding(
  { database, planBook }: ConsoleParts,
  visit: Visit,
  balance: AccountBalance,
): Promise<Standing> {
  const { accountId, credential } = visit;
  const { handle, plan } = await visit.account();
  const { taken } = await keySlots(database, planBook, { accountId, plan });
  const anyCall = { ...ALL_RECEIPTS, limit: 1 };
  const { runs } = await lookUpReceipts(database, credential, anyCall);
  const { records } = await listOwnAgents(database, accountId, { cursor: null, limit: LOOKED_AT });
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

/** Calls of the free source weigh as much as the dearest operation that one of them can pay. */
function fundsOf({ buckets }: AccountBalance, { prices }: PlanBook): Standing['funds'] {
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
