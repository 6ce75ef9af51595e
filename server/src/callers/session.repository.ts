import type { Connection } from '../database/connect.ts';

// A write a minute at most, however many requests a session makes.
const SEEN_EVERY = "interval '1 minute'";
const IDLE = "interval '30 minutes'";
const ABSOLUTE = "interval '12 hours'";
/** For how long a sign-in counts as recent. */
export const RECENT_MINUTES = 15;
const RECENT = `interval '${RECENT_MINUTES} minutes'`;

/** What a living session's owner may know of it. Moments are ISO 8601 UTC. */
export interface SessionRecord {
  sessionId: string;
  accountId: string;
  openedBy: 'operator' | 'sign_in';
  openedAt: string;
  /** To the minute. */
  lastSeenAt: string;
  /** When it ends in any case. */
  expiresAt: string;
  /** When it ends unless it is used before. */
  idleUntil: string;
  /** Until when what asks for a recent sign-in is allowed. */
  recentUntil: string;
  isRecent: boolean;
}

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

/** Ends every session of an account that has not ended yet; answers how many could still have been used. */
export async function markSessionsEnded(connection: Connection, accountId: string): Promise<number> {
  const rows = await connection.query<{ lived: boolean }>(
    `UPDATE session s SET ended_at = ledger_now() WHERE s.account_id = $1 AND s.ended_at IS NULL
     RETURNING s.expires_at > ledger_now() AND s.last_seen_at > ledger_now() - ${IDLE} AS lived`,
    [accountId],
  );
  return rows.filter(({ lived }) => lived).length;
}

/** A living session by its id, or null. */
export async function findSession(connection: Connection, sessionId: string): Promise<SessionRecord | null> {
  const [session] = await connection.query<SessionRecord>(
    `SELECT s.id AS "sessionId", s.account_id AS "accountId", s.opened_by AS "openedBy",
       utc_text(s.created_at) AS "openedAt", utc_text(s.last_seen_at) AS "lastSeenAt",
       utc_text(s.expires_at) AS "expiresAt", utc_text(s.last_seen_at + ${IDLE}) AS "idleUntil",
       utc_text(s.created_at + ${RECENT}) AS "recentUntil", s.created_at > ledger_now() - ${RECENT} AS "isRecent"
     FROM session s WHERE s.id = $1 AND ${sessionLives('s')}`,
    [sessionId],
  );
  return session ?? null;
}

/** Ends the session of a token, if it has not ended. Answers nothing: whoever presents a token may give it up. */
export async function endSessionOf(connection: Connection, tokenHash: Buffer): Promise<void> {
  await connection.query(
    'UPDATE session SET ended_at = ledger_now() WHERE token_hash = $1 AND ended_at IS NULL',
    [tokenHash],
  );
}
