import type { Scope } from '../callers/principal.ts';
import { keyWorks } from '../callers/standing.condition.ts';
import type { Connection } from '../database/connect.ts';
import {
  ALL,
  keep,
  LESS,
  type NamedColumn,
  NOW,
  says,
  sql,
  utcText,
} from '../database/models/expressions.ts';
import { isRowId } from '../database/row-id.ts';
import type { KeyRecord } from './key.ts';

/** By the database's clock. */
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
];
/** Neither revoked nor expired, but it may be paused. */
const ALIVE = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ledger_now())';

/** Which of an account's keys are asked for; null asks for any. */
export interface KeyQuestion {
  state: KeyRecord['state'] | null;
  /** Only keys that are older than this one. */
  before: string | null;
  limit: number | null;
}

/** An account's keys, or some of them, newest first; the state is derived from the clock. */
export function findKeys(
  { models, transaction }: Connection,
  accountId: string,
  { state, before, limit }: KeyQuestion,
): Promise<KeyRecord[]> {
  const older = before === null ? [] : [{ id: { [LESS]: before } }];
  const inState = state === null ? [] : [says(STATE, state)];
  return models.AccessKey.findAll<KeyRecord>({
    attributes: COLUMNS,
    where: { [ALL]: [{ accountId }, ...older, ...inState] },
    order: [['id', 'DESC']],
    ...(limit === null ? {} : { limit }),
    raw: true,
    transaction,
  });
}

/** How many of an account's keys work now: each holds a slot of its plan. */
export function countWorkingKeys({ models, transaction }: Connection, accountId: string): Promise<number> {
  return models.AccessKey.count({
    where: { [ALL]: [{ accountId }, sql(keyWorks('access_key'))] },
    transaction,
  });
}

/** Whether a call was ever made with one of an account's keys that work now. */
export async function hasWorkingKeyBeenUsed(
  { models, transaction }: Connection,
  accountId: string,
): Promise<boolean> {
  const where = { [ALL]: [{ accountId }, sql(`${keyWorks('access_key')} AND last_used_at IS NOT NULL`)] };
  return (await models.AccessKey.count({ where, transaction })) > 0;
}

/** One key of an account; null where the account has none of this id. */
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

/** A key that is about to be stored. */
export interface NewKeyRow {
  id: string;
  accountId: string;
  sessionId: string;
  keyHash: Buffer;
  lastFour: string;
  name: string;
  scopes: readonly Scope[];
  /** ISO 8601 with its zone; a key ends to the millisecond, as everything that asks for one does. */
  expiresAt: string | null;
}

/** Marks a key as revoked; false where the account has no such key or it was revoked before. */
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

/** Marks a living key as paused since it was first; false where the account has no such key. */
export async function savePaused(
  { models, transaction }: Connection,
  accountId: string,
  keyId: string,
): Promise<boolean> {
  if (!isRowId(keyId)) return false;
  const [paused] = await models.AccessKey.update(
    { pausedAt: keep('paused_at', NOW) },
    { where: { [ALL]: [{ accountId, id: keyId }, sql(ALIVE)] }, transaction },
  );
  return paused === 1;
}

/** Marks a key as not paused. */
export async function saveResumed({ models, transaction }: Connection, keyId: string): Promise<void> {
  await models.AccessKey.update({ pausedAt: null }, { where: { id: keyId }, transaction });
}

/** A living key of an account, locked until the transaction ends; null where there is none. */
export async function lockLivingKey(
  connection: Connection,
  accountId: string,
  keyId: string,
): Promise<{ id: string; paused: boolean } | null> {
  // SQL: the condition is judged again after the wait for the lock.
  const [key] = await connection.query<{ id: string; paused: boolean }>(
    `SELECT id, paused_at IS NOT NULL AS paused FROM access_key
     WHERE account_id = $1 AND id::text = lower($2) AND ${ALIVE} FOR NO KEY UPDATE`,
    [accountId, keyId],
  );
  return key ?? null;
}

/** A key that is to be replaced. */
export interface OldKey {
  id: string;
  name: string;
  scopes: Scope[];
  expires_at: string | null;
  /** It is neither revoked nor expired. */
  replaceable: boolean;
  /** The expiry that its successor is to have is later than its own. */
  too_late: boolean;
}

/** A key of an account, locked until the transaction ends, beside the expiry that its successor is to have. */
export async function lockOldKey(
  connection: Connection,
  accountId: string,
  { replacesKeyId, expiresAt }: { replacesKeyId: string; expiresAt: string | null },
): Promise<OldKey | null> {
  // SQL: the row is locked and compared with the clock and the wish in one statement.
  const [old] = await connection.query<OldKey>(
    `SELECT id, name, scopes, utc_text(expires_at) AS expires_at, coalesce($3::timestamptz > expires_at, false) AS too_late,
       ${ALIVE} AS replaceable
     FROM access_key WHERE account_id = $1 AND id::text = lower($2) FOR NO KEY UPDATE`,
    [accountId, replacesKeyId, expiresAt],
  );
  return old ?? null;
}

/** Whether a moment, ISO 8601, lies ahead by the database's clock. */
export async function liesAhead(connection: Connection, time: string): Promise<boolean> {
  // SQL: it asks the clock and no table.
  const [row] = await connection.query<{ ahead: boolean }>('SELECT $1::timestamptz > ledger_now() AS ahead', [
    time,
  ]);
  return row?.ahead ?? false;
}
