import type { Connection } from '../database/connect.ts';

/** Notes that keys were used now, to the minute; one that was used later already stays as it is. */
export async function saveLastUsed(connection: Connection, keyIds: readonly string[]): Promise<void> {
  // SQL: all keys of a round in one guarded write.
  await connection.query(
    `UPDATE access_key SET last_used_at = date_trunc('minute', ledger_now()) WHERE id = ANY ($1::uuid[])
       AND (last_used_at IS NULL OR last_used_at < date_trunc('minute', ledger_now()))`,
    [keyIds],
  );
}
