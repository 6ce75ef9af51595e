import type { Connection } from '../../platform/database/connect.ts';
import { ALL, fromNow, type NamedColumn, NOW, sql, utcText } from '../../platform/database/models/table.ts';
import { IDLE_TIMEOUT, sessionIsActive, sessionUseIsDue } from './caller.fragment.ts';
import type { SessionRecord } from './session.ts';

/** Minutes for which a sign-in counts as recent. */
export const RECENT_MINUTES = 15;
const RECENT = `interval '${RECENT_MINUTES} minutes'`;

const COLUMNS: (string | NamedColumn)[] = [
  'accountId',
  'openedBy',
  ['id', 'sessionId'],
  utcText('created_at', 'openedAt'),
  utcText('last_seen_at', 'lastSeenAt'),
  utcText('expires_at', 'expiresAt'),
  [sql(`utc_text(last_seen_at + ${IDLE_TIMEOUT})`), 'idleUntil'],
  [sql(`utc_text(created_at + ${RECENT})`), 'recentUntil'],
  [sql(`created_at > ledger_now() - ${RECENT}`), 'isRecent'],
];

/** Stores a new session under its token's hash, with a maximum lifetime in minutes. */
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

/** Records the use of an active session, at most once a minute. An ended session is not changed. */
export async function saveSessionUse(connection: Connection, sessionId: string): Promise<void> {
  // SQL: a prepared statement, because metered calls of sessions send it; writes only if the session is active and
  // the use is due.
  await connection.query(
    `UPDATE session s SET last_seen_at = ledger_now()
     WHERE s.id = $1 AND ${sessionIsActive('s')} AND ${sessionUseIsDue('s')}`,
    [sessionId],
  );
}

/** Ends a session permanently; false if it had already ended. The row remains, because keys and runs refer to it. */
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

/** Ends all sessions of an account. Returns how many of them could still be used. */
export async function saveSessionsEnd(connection: Connection, accountId: string): Promise<number> {
  // SQL: RETURNING reports whether each was still usable.
  const rows = await connection.query<{ lived: boolean }>(
    `UPDATE session s SET ended_at = ledger_now() WHERE s.account_id = $1 AND s.ended_at IS NULL
     RETURNING s.expires_at > ledger_now() AND s.last_seen_at > ledger_now() - ${IDLE_TIMEOUT} AS lived`,
    [accountId],
  );
  return rows.filter(({ lived }) => lived).length;
}

/** Revokes all keys of an account. */
export async function saveKeysRevoked({ models, transaction }: Connection, accountId: string): Promise<void> {
  await models.AccessKey.update({ revokedAt: NOW }, { where: { accountId, revokedAt: null }, transaction });
}

/** Returns an active session by id, or null. */
export function findSession({ models, transaction }: Connection, id: string): Promise<SessionRecord | null> {
  return models.Session.findOne<SessionRecord>({
    attributes: COLUMNS,
    where: { [ALL]: [{ id }, sql(sessionIsActive('session'))] },
    raw: true,
    transaction,
  });
}
