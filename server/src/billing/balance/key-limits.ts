import type { KeyLimits, KeyRecord } from '../../access/keys/key-fields.ts';
import { limitOwnKey } from '../../access/keys/own-keys.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import {
  excludeCalls,
  findKeySpending,
  type KeySpendingRow,
  recountSpending,
} from './key-spending.queries.ts';

/**
 * Sets how many calls and credits a key of the session's account may spend in a month, and returns the key. Calls that
 * start after this function has returned cannot exceed the limits, because the triggers that count runs reject a run
 * beyond a limit. Throws not_found; unauthorized; key_paused if the account is suspended; invalid_request for a revoked
 * or expired key.
 */
export function setOwnKeyLimits(
  database: Database,
  sessionId: string,
  keyId: string,
  limits: KeyLimits,
): Promise<KeyRecord> {
  return limitOwnKey(database, sessionId, keyId, limits, { excludeCalls, recount: recountSpending });
}

/**
 * Returns the monthly limits of a key of the account and what the key has spent this month, which is counted only if
 * the key has a limit. Returns null if `keyId` is null, or if the account has no such key.
 */
export function readKeySpending(
  connection: Connection,
  accountId: string,
  keyId: string | null,
): Promise<KeySpendingRow | null> {
  return keyId === null ? Promise.resolve(null) : findKeySpending(connection, accountId, keyId);
}
