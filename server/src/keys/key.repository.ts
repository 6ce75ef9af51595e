import { keyWorks } from '../callers/caller.sql.ts';
import type { Connection } from '../database/connect.ts';

export interface KeyRecord {
  id: string;
  name: string;
  last_four: string;
  scopes: string[];
  state: 'active' | 'inactive' | 'expired' | 'revoked';
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
}

const SELECT = `SELECT id, name, last_four, scopes, CASE WHEN revoked_at IS NOT NULL THEN 'revoked'
    WHEN expires_at <= ledger_now() THEN 'expired' WHEN paused_at IS NOT NULL THEN 'inactive' ELSE 'active' END AS state,
    utc_text(created_at) AS created_at, utc_text(expires_at) AS expires_at, utc_text(last_used_at) AS last_used_at
  FROM access_key`;

/** An account's keys, newest first; the state is derived from the clock. */
export function listKeys(connection: Connection, accountId: string): Promise<KeyRecord[]> {
  return connection.query<KeyRecord>(`${SELECT} WHERE account_id = $1 ORDER BY id DESC`, [accountId]);
}

/** Which of an account's keys are asked for; null asks for any. */
export interface KeyQuestion {
  state: KeyRecord['state'] | null;
  /** Only keys that are older than this one. */
  before: string | null;
  limit: number;
}

/** Some of an account's keys, newest first. */
export function findKeys(
  connection: Connection,
  accountId: string,
  { state, before, limit }: KeyQuestion,
): Promise<KeyRecord[]> {
  return connection.query<KeyRecord>(
    `SELECT k.* FROM (${SELECT} WHERE account_id = $1 AND ($2::uuid IS NULL OR id < $2)) k
     WHERE $3::text IS NULL OR k.state = $3 ORDER BY k.id DESC LIMIT $4`,
    [accountId, before, state, limit],
  );
}

/** How many of an account's keys work now: each holds a slot of its plan. */
export async function countWorkingKeys(connection: Connection, accountId: string): Promise<number> {
  const [row] = await connection.query<{ active: number }>(
    `SELECT count(*)::int AS active FROM access_key k WHERE k.account_id = $1 AND ${keyWorks('k')}`,
    [accountId],
  );
  return row?.active ?? 0;
}

/** One key of an account; null where the account has none of this id. */
export async function findKey(
  connection: Connection,
  accountId: string,
  keyId: string,
): Promise<KeyRecord | null> {
  const [key] = await connection.query<KeyRecord>(
    `${SELECT} WHERE account_id = $1 AND id::text = lower($2)`,
    [accountId, keyId],
  );
  return key ?? null;
}

/**
 * Revokes a key for good, effective for every request received after this returns, on every process.
 * False when the account has no such key or it was revoked before.
 */
export async function revokeKey(connection: Connection, accountId: string, keyId: string): Promise<boolean> {
  const rows = await connection.query(
    `UPDATE access_key SET revoked_at = ledger_now() WHERE account_id = $1 AND id::text = lower($2) AND revoked_at IS NULL RETURNING id`,
    [accountId, keyId],
  );
  return rows.length === 1;
}
