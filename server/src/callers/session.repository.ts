import type { Connection } from '../database/connect.ts';
import { ALL, fromNow, type NamedColumn, NOW, sql, utcText } from '../database/models/expressions.ts';
import type { SessionRecord } from './session.ts';
import { IDLE, sessionLives, sessionUnnoted } from './standing.condition.ts';

/** For how long a sign-in counts as recent. */
export const RECENT_MINUTES = 15;
const RECENT = `interval '${RECENT_MINUTES} minutes'`;

const COLUMNS: (string | NamedColumn)[] = [
  'accountId',
  'openedBy',
  ['id', 'sessionId'],
  utcText('created_at', 'openedAt'),
  utcText('last_seen_at', 'lastSeenAt'),
  utcText('expires_at', 'expiresAt'),
  [sql(`utc_text(last_seen_at + ${IDLE})`), 'idleUntil'],
  [sql(`utc_text(created_at + ${RECENT})`), 'recentUntil'],
  [sql(`created_at > ledger_now() - ${RECENT}`), 'isRecent'],
];

/** Stores a new session under its token's hash; it ends so many minutes from now at the latest. */
export async function insertSession(
  { models, transaction }: Connection,
  {
    minutes,
    ...session
  }: { id: string; accountId: string; tokenHash: Buffer; openedBy: 'operator' | 'sign_in'; minutes: number },
): Promise<void> {
  const row = { ...session, expiresAt: fromNow(`${minutes} minutes`) };
  await models.Session.create(row, { transaction, returning: false });
}

/** Notes that a living session was used now, to the minute. A session that has ended stays as it is. */
export async function saveSessionSeen(connection: Connection, sessionId: string): Promise<void> {
  // SQL: one guarded write beside the metered path, kept by name.
  await connection.query(
    `UPDATE session s SET last_seen_at = ledger_now()
     WHERE s.id = $1 AND ${sessionLives('s')} AND ${sessionUnnoted('s')}`,
    [sessionId],
  );
}

/** Ends a session for good; false where it had ended before. It is kept: keys and runs point at it. */
export async function saveSessionEnd(
  { models, transaction }: Connection,
  which: { id: string } | { tokenHash: Buffer },
): Promise<boolean> {
  const [ended] = await models.Session.update(
    { endedAt: NOW },
    { where: { ...which, endedAt: null }, transaction },
  );
  return ended === 1;
}

/** Ends every session of an account that has not ended yet; answers how many could still have been used. */
export async function saveSessionsEnd(connection: Connection, accountId: string): Promise<number> {
  // SQL: RETURNING tells how each stood when it was ended.
  const rows = await connection.query<{ lived: boolean }>(
    `UPDATE session s SET ended_at = ledger_now() WHERE s.account_id = $1 AND s.ended_at IS NULL
     RETURNING s.expires_at > ledger_now() AND s.last_seen_at > ledger_now() - ${IDLE} AS lived`,
    [accountId],
  );
  return rows.filter(({ lived }) => lived).length;
}

/** Revokes every key of an account that is not revoked yet. */
export async function saveKeysRevoked({ models, transaction }: Connection, accountId: string): Promise<void> {
  await models.AccessKey.update({ revokedAt: NOW }, { where: { accountId, revokedAt: null }, transaction });
}

/** A living session by its id, or null. */
export function findSession({ models, transaction }: Connection, id: string): Promise<SessionRecord | null> {
  return models.Session.findOne<SessionRecord>({
    attributes: COLUMNS,
    where: { [ALL]: [{ id }, sql(sessionLives('session'))] },
    raw: true,
    transaction,
  });
}
