import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import type { PlanBook } from '../plans/plans.ts';
import { findKey, findKeys, hasWorkingKeyBeenUsed } from './key.repository.ts';
import type { KeyRecord } from './key.ts';
import { keySlots } from './key-slots.ts';

export interface KeyListQuestion {
  /** Null asks for keys in any state. */
  state: KeyRecord['state'] | null;
  /** As the page before gave it. */
  cursor: string | null;
  /** 1 to 100. */
  limit: number;
}

/** One page of an account's keys, and how many more its plan has slots for. */
export interface KeyPage {
  /** Newest first. */
  keys: KeyRecord[];
  nextCursor: string | null;
  /** Keys that work now, of all pages. */
  active: number;
  /** Keys that may work at the same time. After a change to a lower plan more may do so than this. */
  limit: number;
}

/**
 * The keys of an account on this plan (the one in force), without their secrets, which nobody has. Throws invalid_request
 * for a cursor of another list.
 */
export async function readKeys(
  connection: Connection,
  planBook: PlanBook,
  { accountId, plan }: { accountId: string; plan: string },
  { state, cursor, limit }: KeyListQuestion,
): Promise<KeyPage> {
  const before = cursor === null ? null : readCursor(cursor);
  const found = await findKeys(connection, accountId, { state, before, limit: limit + 1 });
  const keys = found.slice(0, limit);
  const last = found.length > limit ? keys.at(-1) : undefined;
  const { taken: active, limit: most } = await keySlots(connection, planBook, { accountId, plan });
  return { keys, nextCursor: last ? writeCursor(last.id) : null, active, limit: most };
}

/** Whether a program of the account's has called already, with a key that still works. */
export function hasUsedKey(connection: Connection, accountId: string): Promise<boolean> {
  return hasWorkingKeyBeenUsed(connection, accountId);
}

/** All keys of an account, newest first. */
export function listKeys(connection: Connection, accountId: string): Promise<KeyRecord[]> {
  return findKeys(connection, accountId, { state: null, before: null, limit: null });
}

const MOST_TO_CHOOSE = 100;

/** What a person can choose a key from: the newest ones, and the one that is chosen already where the account has it. */
export async function keysToChoose(
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
