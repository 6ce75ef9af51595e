import type { KeyRecord } from '../../keys/key.ts';
import { type KeySlots, keySlots } from '../../keys/key-slots.ts';
import { requireLivingKey } from '../../keys/require-key.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { partOf, type Visit } from '../frame/visit.ts';

/** How many keys the visitor's account has at work, and how many its plan allows. */
export async function visitorSlots(
  { database, planBook }: ConsoleParts,
  { accountId, account }: Visit,
): Promise<KeySlots> {
  const { plan } = await account();
  return keySlots(database, planBook, { accountId, plan });
}

/** The visitor's key that the address names, where it can still be acted on; throws not_found, invalid_request. */
export function visitorKey({ database }: ConsoleParts, visit: Visit): Promise<KeyRecord> {
  return requireLivingKey(database, visit.accountId, partOf(visit, 'id'));
}
