import type { Connection } from '../../platform/database/connect.ts';
import {
  ALL,
  ANY,
  columnOr,
  LESS,
  type NamedColumn,
  NOW,
  sql,
  sqlEquals,
  utcText,
} from '../../platform/database/models/table.ts';
import { isRowId } from '../../platform/database/send-statement.ts';
import type { Scope } from '../../platform/http/credentials/principal.ts';
import { keyIsActive } from '../callers/caller.fragment.ts';
import type { KeyLimits, KeyRecord } from './key-fields.ts';

/** State of a key by the database clock. */
const STATE = `CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= ledger_now() THEN 'expired'
  WHEN paused_at IS NOT NULL THEN 'inactive' ELSE 'active' END`;
const COLUMNS: (string | NamedColumn)[] = [
  'id',
  'name',
  ['last_four', 'last_four'],
  'scopes',
  [sql(STATE), 'state'],
  utcText('created_at', 'created_at'),
  utcText('expires_at', 'expires_at'),
  utcText('last_used_at', 'last_used_at'),
  ['monthly_calls', 'monthly_calls'],
  ['monthly_credits', 'monthly_credits'],
];
/** Condition for keys that are neither revoked nor expired; they may be paused. */
const USABLE = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ledger_now())';

/** Filter for an account's keys; null means no restriction. */
export interface KeyFilter {
  state: KeyRecord['state'] | null;
  /** Id of a key; selects the keys that were created before it. */
  before: string | null;
  limit: number | null;
}

/** Lists an account's matching keys, newest first. The state of a key is computed by the database clock. */
export function findKeys(
  { models, transaction }: Connection,
  accountId: string,
  { state, before, limit }: KeyFilter,
): Promise<KeyRecord[]> {
  const older = before === null ? [] : [{ id: { [LESS]: before } }];
  const inState = state === null ? [] : [sqlEquals(STATE, state)];
  return models.AccessKey.findAll<KeyRecord>({
    attributes: COLUMNS,
    where: { [ALL]: [{ accountId }, ...older, ...inState] },
    order: [['id', 'DESC']],
    ...(limit === null ? {} : { limit }),
    raw: true,
    transaction,
  });
}

/** Counts an account's active keys, whose number its plan limits. */
export function countWorkingKeys({ models, transaction }: Connection, accountId: string): Promise<number> {
  return models.AccessKey.count({
    where: { [ALL]: [{ accountId }, sql(keyIsActive('access_key'))] },
    transaction,
  });
}

/** Returns true if any active key of the account was ever used. */
export async function hasWorkingKeyBeenUsed(
  { models, transaction }: Connection,
  accountId: string,
): Promise<boolean> {
  const where = { [ALL]: [{ accountId }, sql(`${keyIsActive('access_key')} AND last_used_at IS NOT NULL`)] };
  return (await models.AccessKey.count({ where, transaction })) > 0;
}

/** Returns one key of an account; null if the account has none with this id. */
export async function findKey(
  { models, transaction }: Connection,
  accountId: string,
  keyId: string,
): Promise<KeyRecord | null> {
  if (!isRowId(keyId)) return null;
  return models.AccessKey.findOne<KeyRecord>({
    attributes: COLUMNS,
    where: { accountId, id: keyId },
    raw: true,
    transaction,
  });
}

/** Stores a new key under its secret's hash. */
export async function insertKey(
  { models, transaction }: Connection,
  { expiresAt, scopes, ...key }: NewKeyRow,
): Promise<void> {
  const row = { ...key, scopes: [...scopes], expiresAt: expiresAt === null ? null : new Date(expiresAt) };
  await models.AccessKey.create(row, { transaction, returning: false });
}

/** A key to store. */
export interface NewKeyRow {
  id: string;
  accountId: string;
  sessionId: string;
  keyHash: Buffer;
  lastFour: string;
  name: string;
  scopes: readonly Scope[];
  /** ISO 8601 with time zone; rounded to the millisecond. */
  expiresAt: string | null;
  monthlyCalls: number | null;
  monthlyCredits: number | null;
  /** Id under which the key's spending is counted; null for the key's own id. */
  spendsAs: string | null;
}

/** Marks a key as revoked; false if the account has no such key or it was already revoked. */
export async function saveRevoked(
  { models, transaction }: Connection,
  accountId: string,
  keyId: string,
): Promise<boolean> {
  if (!isRowId(keyId)) return false;
  const [revoked] = await models.AccessKey.update(
    { revokedAt: NOW },
    { where: { accountId, id: keyId, revokedAt: null }, transaction },
  );
  return revoked === 1;
}

/**
 * Marks a key as paused. A key that is already paused keeps the time of its pause. Returns false if the account has no
 * such key, or if the key is revoked or expired.
 */
export async function savePaused(
  { models, transaction }: Connection,
  accountId: string,
  keyId: string,
): Promise<boolean> {
  if (!isRowId(keyId)) return false;
  const [paused] = await models.AccessKey.update(
    { pausedAt: columnOr('paused_at', NOW) },
    { where: { [ALL]: [{ accountId, id: keyId }, sql(USABLE)] }, transaction },
  );
  return paused === 1;
}

/** Clears a key's pause. */
export async function saveResumed({ models, transaction }: Connection, keyId: string): Promise<void> {
  await models.AccessKey.update({ pausedAt: null }, { where: { id: keyId }, transaction });
}

/** Stores the monthly limits of a key, and of the revoked keys with which it shares its spending. */
export async function saveLimits(
  { models, transaction }: Connection,
  accountId: string,
  { id, spends_as }: UsableKey,
  { calls, credits }: KeyLimits,
): Promise<void> {
  const shared = [{ id }, { id: spends_as }, { spendsAs: spends_as }];
  await models.AccessKey.update(
    { monthlyCalls: calls, monthlyCredits: credits },
    { where: { accountId, [ANY]: shared }, transaction },
  );
}

/** A key that is neither revoked nor expired. */
export interface UsableKey {
  id: string;
  paused: boolean;
  /** Id under which the key's spending is counted: the id of the first key in its chain of replacements. */
  spends_as: string;
}

/**
 * Locks a key of an account and the keys with which it shares its spending, in the order of their ids. `saveLastUsed`
 * locks keys in this order too, so that the two do not deadlock.
 */
export async function lockSharingKeys(
  connection: Connection,
  accountId: string,
  keyId: string,
): Promise<void> {
  // Raw SQL: finds the keys by the first key of their chain of replacements, and locks them in order.
  await connection.query(
    `SELECT FROM access_key WHERE account_id = $1 AND coalesce(spends_as, id) =
       (SELECT coalesce(spends_as, id) FROM access_key WHERE account_id = $1 AND id::text = lower($2))
     ORDER BY id FOR NO KEY UPDATE`,
    [accountId, keyId],
  );
}

/**
 * Locks a key of an account until the transaction ends. Returns null if the key does not exist, is revoked or has
 * expired.
 */
export async function lockUsableKey(
  connection: Connection,
  accountId: string,
  keyId: string,
): Promise<UsableKey | null> {
  // Raw SQL: PostgreSQL checks the condition again after it has waited for the lock.
  const [key] = await connection.query<UsableKey>(
    `SELECT id, paused_at IS NOT NULL AS paused, coalesce(spends_as, id) AS spends_as FROM access_key
     WHERE account_id = $1 AND id::text = lower($2) AND ${USABLE} FOR NO KEY UPDATE`,
    [accountId, keyId],
  );
  return key ?? null;
}

/** A key to replace. */
export interface OldKey {
  id: string;
  name: string;
  scopes: Scope[];
  expires_at: string | null;
  monthly_calls: number | null;
  monthly_credits: number | null;
  /** Id under which the key's spending is counted. */
  spends_as: string;
  /** True if the key is neither revoked nor expired. */
  replaceable: boolean;
  /** True if the requested expiry is later than the expiry of the old key. */
  too_late: boolean;
}

/**
 * Locks a key of an account until the transaction ends. `too_late` is true if the expiry requested for the replacement
 * is later than this key's. Returns null if the account has no such key.
 */
export async function lockOldKey(
  connection: Connection,
  accountId: string,
  { replacesKeyId, expiresAt }: { replacesKeyId: string; expiresAt: string | null },
): Promise<OldKey | null> {
  // Raw SQL: locks the old key, and compares its expiry with the clock and with the requested expiry, in one statement.
  const [old] = await connection.query<OldKey>(
    `SELECT id, name, scopes, monthly_calls, monthly_credits, coalesce(spends_as, id) AS spends_as, utc_text(expires_at) AS expires_at, coalesce($3::timestamptz > expires_at, false) AS too_late,
       ${USABLE} AS replaceable
     FROM access_key WHERE account_id = $1 AND id::text = lower($2) FOR NO KEY UPDATE`,
    [accountId, replacesKeyId, expiresAt],
  );
  return old ?? null;
}

/** Returns true if a time (ISO 8601) is in the future by the database clock. */
export async function isInFuture(connection: Connection, time: string): Promise<boolean> {
  // Raw SQL: reads only the clock, no table.
  const [row] = await connection.query<{ ahead: boolean }>('SELECT $1::timestamptz > ledger_now() AS ahead', [
    time,
  ]);
  return row?.ahead ?? false;
}
