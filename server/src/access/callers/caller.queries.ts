import type { Connection } from '../../platform/database/connect.ts';
import {
  ALL,
  FOR_NO_KEY_UPDATE,
  fromNow,
  type NamedColumn,
  NOW,
  sql,
  utcText,
} from '../../platform/database/models/table.ts';
import type { Credential, Principal } from '../../platform/http/credentials/principal.ts';
import {
  CALLER,
  type CallerRow,
  IDLE_TIMEOUT,
  LOCKED_CALLER,
  sessionIsActive,
  sessionUseIsDue,
} from './caller.fragment.ts';
import type { SessionRecord } from './session.ts';

/** Reads the caller of a credential and its status; null for an unknown credential. */
export async function findCaller(
  connection: Connection,
  { kind, hash }: Credential,
): Promise<CallerRow | null> {
  // Raw SQL: other modules embed the same text in their statements.
  const [row] = await connection.query<CallerRow>(CALLER[kind], [hash]);
  return row ?? null;
}

/**
 * Reads a caller by the id of its key or session, and locks that row until the transaction ends. Returns null if there
 * is none.
 */
export async function lockCaller(
  connection: Connection,
  { keyId, sessionId }: Principal,
): Promise<CallerRow | null> {
  // Raw SQL: locks the row and checks it in one statement.
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

/** Stores the current minute as the last use of keys. Never replaces a later time. */
export async function saveLastUsed(connection: Connection, keyIds: readonly string[]): Promise<void> {
  // Raw SQL: updates all keys in one statement, and only those with an earlier time. Several servers may do this at the
  // same time, so it locks the keys in the order of their ids; otherwise these statements could deadlock.
  await connection.query(
    `WITH due AS MATERIALIZED (SELECT id FROM access_key WHERE id = ANY ($1::uuid[])
       AND (last_used_at IS NULL OR last_used_at < date_trunc('minute', ledger_now())) ORDER BY id FOR NO KEY UPDATE)
     UPDATE access_key k SET last_used_at = date_trunc('minute', ledger_now()) FROM due WHERE k.id = due.id`,
    [keyIds],
  );
}

/** Maximum rows that one statement of `readAllCredentials` reads, which keeps it short even with many keys. */
const ROWS = 10_000;
/**
 * Overlap of successive reads by `readNewCredentials`. It covers the duration of a transaction that creates a
 * credential, and the clock difference between servers.
 */
const OVERLAP = "interval '5 minutes'";

const TABLES = {
  key: { table: 'access_key', hash: 'key_hash', mayWork: 'c.revoked_at IS NULL' },
  session: { table: 'session', hash: 'token_hash', mayWork: sessionIsActive('c') },
} as const;

/** Reads the database clock as text; pass it to `readNewCredentials` to find credentials that were created later. */
export async function readClock(connection: Connection): Promise<string> {
  // Raw SQL: reads only the clock, no table.
  const [row] = await connection.query<{ now: string }>('SELECT utc_text(ledger_now()) AS now');
  return row?.now ?? '';
}

/**
 * Calls `take` with the hash of each key that is not revoked (even if paused or expired) and of each active session.
 * Reads up to 10,000 rows per statement.
 */
export async function readAllCredentials(
  connection: Connection,
  take: (hash: Buffer) => void,
): Promise<void> {
  for (const { table, hash, mayWork } of Object.values(TABLES)) {
    for (let after: Buffer = Buffer.alloc(0), more = true; more; ) {
      // Raw SQL: one text for both tables, which reads thousands of rows per statement in the order of their hashes.
      const rows = await connection.query<{ hash: Buffer }>(
        `SELECT ${hash} AS hash FROM ${table} c WHERE ${hash} > $1 AND ${mayWork} ORDER BY ${hash} LIMIT ${ROWS}`,
        [after],
      );
      for (const row of rows) take(row.hash);
      after = rows.at(-1)?.hash ?? after;
      more = rows.length === ROWS;
    }
  }
}

/**
 * Calls `take` with the hashes of keys and sessions created since a time, and of those created up to 5 minutes earlier.
 * Returns the time of the database clock, which is the `since` of the next read.
 */
export async function readNewCredentials(
  connection: Connection,
  since: string,
  take: (hash: Buffer) => void,
): Promise<string> {
  // The clock may have been set back, but new rows must still be found.
  const start = `least($1::timestamptz, ledger_now()) - ${OVERLAP}`;
  // Raw SQL: reads clock, keys and sessions in one statement, so that no row is missed.
  const rows = await connection.query<{ now: string; hash: Buffer | null }>(
    `SELECT utc_text(ledger_now()) AS now, made.hash FROM (SELECT) AS always LEFT JOIN (
       ${Object.values(TABLES)
         .map(({ table, hash }) => `SELECT ${hash} AS hash FROM ${table} WHERE created_at >= ${start}`)
         .join(' UNION ALL ')}) AS made ON true`,
    [since],
  );
  for (const { hash } of rows) if (hash !== null) take(hash);
  return rows[0]?.now ?? since;
}

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
  // Raw SQL, to be sent as a prepared statement, because metered calls of sessions send it. Writes only if the session
  // is active and its use must be recorded.
  await connection.query(
    `UPDATE session s SET last_seen_at = ledger_now()
     WHERE s.id = $1 AND ${sessionIsActive('s')} AND ${sessionUseIsDue('s')}`,
    [sessionId],
  );
}

/**
 * Ends a session permanently; returns false if it was ended before or does not exist. A session that has expired can
 * still be ended. The row remains, because keys and runs refer to it.
 */
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

/** Ends all sessions of an account. Returns how many of them were still active before. */
export async function saveSessionsEnd(connection: Connection, accountId: string): Promise<number> {
  // Raw SQL: locks the sessions in the order of their ids; RETURNING reports whether each was still usable.
  const rows = await connection.query<{ lived: boolean }>(
    `WITH open AS MATERIALIZED (SELECT id FROM session WHERE account_id = $1 AND ended_at IS NULL ORDER BY id FOR NO KEY UPDATE)
     UPDATE session s SET ended_at = ledger_now() FROM open WHERE s.id = open.id
     RETURNING s.expires_at > ledger_now() AND s.last_seen_at > ledger_now() - ${IDLE_TIMEOUT} AS lived`,
    [accountId],
  );
  return rows.filter(({ lived }) => lived).length;
}

/** Revokes all keys of an account. */
export async function saveKeysRevoked(connection: Connection, accountId: string): Promise<void> {
  // Raw SQL: locks the keys in the order of their ids, like `saveLastUsed`.
  await connection.query(
    `WITH working AS MATERIALIZED (SELECT id FROM access_key WHERE account_id = $1 AND revoked_at IS NULL ORDER BY id FOR NO KEY UPDATE)
     UPDATE access_key k SET revoked_at = ledger_now() FROM working WHERE k.id = working.id`,
    [accountId],
  );
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
