import type { Connection } from '../../platform/database/connect.ts';
import { FOR_NO_KEY_UPDATE } from '../../platform/database/models/table.ts';
import type { Credential, Principal } from '../../platform/http/credentials/principal.ts';
import { CALLER, type CallerRow, LOCKED_CALLER } from './caller.fragment.ts';

/** Reads the caller of a credential and its status; null for an unknown credential. */
export async function findCaller(
  connection: Connection,
  { kind, hash }: Credential,
): Promise<CallerRow | null> {
  // SQL: the same text that other modules embed in their statements.
  const [row] = await connection.query<CallerRow>(CALLER[kind], [hash]);
  return row ?? null;
}

/** Reads a caller by the id of its key or session, and locks that row until the transaction ends. */
export async function lockCaller(
  connection: Connection,
  { keyId, sessionId }: Principal,
): Promise<CallerRow | null> {
  // SQL: locks the row and checks it in one statement.
  const [row] = await connection.query<CallerRow>(LOCKED_CALLER[keyId === null ? 'session' : 'key'], [
    keyId ?? sessionId,
  ]);
  return row ?? null;
}

/**
 * Locks an account's row against other changes until the transaction ends. Charges do not wait for this lock, because
 * they change buckets and not the account. Returns null if there is no such account.
 */
export function lockAccount(
  { models, transaction }: Connection,
  id: string,
): Promise<{ deletedAt: Date | null } | null> {
  return models.Account.findOne<{ deletedAt: Date | null }>({
    attributes: ['deletedAt'],
    where: { id },
    lock: FOR_NO_KEY_UPDATE,
    raw: true,
    transaction,
  });
}

/** Records that keys were used now, rounded down to the minute. Never replaces a later time. */
export async function saveLastUsed(connection: Connection, keyIds: readonly string[]): Promise<void> {
  // SQL: updates all keys in one statement, and only those with an earlier time.
  await connection.query(
    `UPDATE access_key SET last_used_at = date_trunc('minute', ledger_now()) WHERE id = ANY ($1::uuid[])
       AND (last_used_at IS NULL OR last_used_at < date_trunc('minute', ledger_now()))`,
    [keyIds],
  );
}
