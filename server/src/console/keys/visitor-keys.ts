import { requireAccount } from '../../accounts/account.repository.ts';
import { DomainError } from '../../domain-error.ts';
import { findKey, type KeyRecord } from '../../keys/key.repository.ts';
import { findPlan } from '../../plans/plans.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { partOf, type Visit } from '../frame/visit.ts';

/** An account's working keys against what its plan allows. */
export interface KeySlots {
  plan: string;
  /** Keys that work now. */
  taken: number;
  limit: number;
}

/** How many keys an account has at work, and how many its plan allows. */
export async function keySlots({ database, planBook }: ConsoleParts, accountId: string): Promise<KeySlots> {
  const { plan, active_keys: taken } = await requireAccount(database, accountId);
  return { plan, taken, limit: findPlan(planBook, plan)?.activeKeys ?? 0 };
}

/** A key of the visitor's that can still be acted on; throws not_found, and invalid_request where it is over. */
export async function requireLivingKey({ database }: ConsoleParts, visit: Visit): Promise<KeyRecord> {
  const key = await findKey(database, visit.accountId, partOf(visit, 'id'));
  if (!key) throw new DomainError('not_found', 'Your account has no access key with this id.');
  if (key.state === 'active' || key.state === 'inactive') return key;
  const how = key.state === 'revoked' ? 'was revoked' : 'has expired';
  throw new DomainError('invalid_request', `This key ${how}, which is final. Create a new one.`);
}
