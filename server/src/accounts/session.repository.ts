import type { Connection } from '../database/connect.ts';

// A write a minute at most, however many requests a session makes.
const SEEN_EVERY = "interval '1 minute'";
const IDLE = "interval '30 minutes'";
const ABSOLUTE = "interval '12 hours'";

/** SQL that is true of a session `alias` that lives: not ended, seen within 30 minutes, opened within 12 hours. */
export function sessionLives(alias: string): string {
  return `${alias}.ended_at IS NULL AND ${alias}.expires_at > ledger_now()
    AND ${alias}.last_seen_at > ledger_now() - ${IDLE}`;
}

/** SQL that is true of a session `alias` whose last use is due to be noted. */
export function sessionUnnoted(alias: string): string {
  return `${alias}.last_seen_at <= ledger_now() - ${SEEN_EVERY}`;
}

/** Stores a new session under its token's hash; it ends 12 hours from now at the latest. */
export async function insertSession(
  connection: Connection,
  session: { id: string; accountId: string; tokenHash: Buffer; openedBy: 'operator' | 'sign_in' },
): Promise<void> {
  await connection.query(
    `INSERT INTO session (id, account_id, token_hash, opened_by, expires_at)
     VALUES ($1, $2, $3, $4, ledger_now() + ${ABSOLUTE})`,
    [session.id, session.accountId, session.tokenHash, session.openedBy],
  );
}

/** Notes that a living session was used now, to the minute. A session that has ended stays as it is. */
export async function noteSessionSeen(connection: Connection, sessionId: string): Promise<void> {
  await connection.query(
    `UPDATE session s SET last_seen_at = ledger_now()
     WHERE s.id = $1 AND ${sessionLives('s')} AND ${sessionUnnoted('s')}`,
    [sessionId],
  );
}

/** Ends a session for good; false where it had ended before. It is kept: keys and runs point at it. */
export async function markSessionEnded(connection: Connection, sessionId: string): Promise<boolean> {
  const rows = await connection.query(
    'UPDATE session SET ended_at = ledger_now() WHERE id = $1 AND ended_at IS NULL RETURNING id',
    [sessionId],
  );
  return rows.length === 1;
}
