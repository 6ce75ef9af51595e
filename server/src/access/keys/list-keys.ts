import type { Connection } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import type { PlanBook } from '../plans/plans.ts';
import { keySlots } from './create-key.ts';
import { findKey, findKeys, hasWorkingKeyBeenUsed } from './key.queries.ts';
import type { KeyRecord } from './key-fields.ts';

export interface KeyListRequest {
  /** State of the keys; null for any. */
  state: KeyRecord['state'] | null;
  /** Cursor from the previous page; null for the first page. */
  cursor: string | null;
  /** Page size, 1 to 100. */
  limit: number;
}

/** One page of an account's keys, with the plan's limit. */
export interface KeyPage {
  /** Keys of the page, newest first. */
  keys: KeyRecord[];
  nextCursor: string | null;
  /** Active keys on all pages. */
  active: number;
  /** Maximum active keys. After a change to a lower plan, more keys may be active. */
  limit: number;
}

/**
 * Reads one page of an account's keys, without the secrets, which are not stored. Throws invalid_request for a cursor
 * of another list.
 */
export async function readKeys(
  connection: Connection,
  planBook: PlanBook,
  { accountId, plan }: { accountId: string; plan: string },
  { state, cursor, limit }: KeyListRequest,
): Promise<KeyPage> {
  const before = cursor === null ? null : readCursor(cursor);
  const found = await findKeys(connection, accountId, { state, before, limit: limit + 1 });
  const keys = found.slice(0, limit);
  const last = found.length > limit ? keys.at(-1) : undefined;
  const { taken: active, limit: most } = await keySlots(connection, planBook, { accountId, plan });
  return { keys, nextCursor: last ? writeCursor(last.id) : null, active, limit: most };
}

/** Returns true if any active key of the account has been used. */
export function hasUsedKey(connection: Connection, accountId: string): Promise<boolean> {
  return hasWorkingKeyBeenUsed(connection, accountId);
}

/** Lists all keys of an account, newest first. */
export function listKeys(connection: Connection, accountId: string): Promise<KeyRecord[]> {
  return findKeys(connection, accountId, { state: null, before: null, limit: null });
}

const MOST_TO_CHOOSE = 100;

/**
 * Lists keys for a selection field: the newest 100, and the key `chosen` if the account has it; null if none is chosen.
 */
export async function selectableKeys(
  connection: Connection,
  accountId: string,
  chosen: string | null,
): Promise<KeyRecord[]> {
  const keys = await findKeys(connection, accountId, { state: null, before: null, limit: MOST_TO_CHOOSE });
  if (chosen === null || keys.some(({ id }) => id === chosen)) return keys;
  const key = await findKey(connection, accountId, chosen);
  return key ? [...keys, key] : keys;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function writeCursor(keyId: string): string {
  return Buffer.from(JSON.stringify({ before: keyId })).toString('base64url');
}

function readCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  const keyId = text.slice('{"before":"'.length, -'"}'.length);
  if (UUID.test(keyId) && text === JSON.stringify({ before: keyId })) return keyId;
  throw new DomainError('invalid_request', 'cursor does not belong to this list. Start again without it.');
}
