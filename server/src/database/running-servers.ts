import type { Connection } from './connect.ts';

/** A server renews its row this often, and counts as running for three times as long. */
export const RENEW_SERVER_MS = 10_000;
const RUNNING_SECONDS = (3 * RENEW_SERVER_MS) / 1_000;

const RENEW = `WITH gone AS (DELETE FROM running_server WHERE seen_at < ledger_now() - interval '1 day')
INSERT INTO running_server (id, public_url) VALUES ($1, $2)
ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`;

const FIND = `SELECT public_url AS "publicUrl" FROM running_server
WHERE seen_at > ledger_now() - $1 * interval '1 second' GROUP BY 1 ORDER BY max(seen_at) DESC, 1`;

/** Stores that a server runs under an address, and removes servers that have not renewed their row for a day. */
export async function renewRunningServer(
  connection: Connection,
  { id, publicUrl }: { id: string; publicUrl: string },
): Promise<void> {
  await connection.query(RENEW, [id, publicUrl]);
}

/** Removes the row of a server that stops. */
export async function removeRunningServer(connection: Connection, id: string): Promise<void> {
  await connection.query('DELETE FROM running_server WHERE id = $1', [id]);
}

/** Finds the addresses of the servers that run on this database, the one that was seen last first. */
export async function findRunningServers(connection: Connection): Promise<string[]> {
  const rows = await connection.query<{ publicUrl: string }>(FIND, [RUNNING_SECONDS]);
  return rows.map(({ publicUrl }) => publicUrl);
}
