import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Connection } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import {
  type Credential,
  credentialError,
  type Principal,
  requireValidCaller,
} from '../../platform/http/credentials/principal.ts';
import { hashSecret } from '../../platform/http/credentials/secret.ts';
import {
  findSession,
  insertSession,
  lockAccount,
  lockCaller,
  RECENT_MINUTES,
  saveKeysRevoked,
  saveSessionEnd,
  saveSessionsEnd,
  saveSessionUse,
} from './caller.queries.ts';

const TOKEN_BYTES = 32;
/** Maximum lifetime of a session: twelve hours. */
const LONGEST_MINUTES = 720;

/** An active session as its owner sees it. Times are ISO 8601 UTC. */
export interface SessionRecord {
  sessionId: string;
  accountId: string;
  openedBy: 'operator' | 'sign_in';
  openedAt: string;
  /** Recorded at most once a minute, so it may be a minute old. */
  lastSeenAt: string;
  /** End of its maximum lifetime. */
  expiresAt: string;
  /** End of its idle timeout. */
  idleUntil: string;
  /** End of the period in which sensitive changes are allowed. */
  recentUntil: string;
  isRecent: boolean;
}

/**
 * Opens a console session of an account. Only the hash of the returned token is stored, so the token cannot be read
 * again. The session ends after 30 idle minutes, or `minutes` after it was opened.
 */
export async function openSession(
  connection: Connection,
  accountId: string,
  openedBy: 'operator' | 'sign_in',
  minutes = LONGEST_MINUTES,
): Promise<{ sessionId: string; token: string }> {
  const id = uuidv7();
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await insertSession(connection, { id, accountId, tokenHash: hashSecret(token), openedBy, minutes });
  return { sessionId: id, token };
}

/**
 * Ends a session, so that later requests with it are refused. Returns false if it was ended before or does not exist.
 */
export function endSession(connection: Connection, sessionId: string): Promise<boolean> {
  return saveSessionEnd(connection, { id: sessionId });
}

/**
 * Ends the session whose token a request carries; does nothing for a key. The session need not be active, because
 * anyone who has its token may end it. The result does not reveal whether it was active.
 */
export async function endPresentedSession(connection: Connection, { kind, hash }: Credential): Promise<void> {
  if (kind === 'session') await saveSessionEnd(connection, { tokenHash: hash });
}

/** Ends all sessions of an account, the current one included. Returns how many of them were still active before. */
export function endAllSessions(connection: Connection, accountId: string): Promise<number> {
  return saveSessionsEnd(connection, accountId);
}

/**
 * Ends all sessions and revokes all keys of an account. Requests that arrive with them after the commit are refused.
 */
export async function endCredentials(connection: Connection, accountId: string): Promise<void> {
  await saveSessionsEnd(connection, accountId);
  await saveKeysRevoked(connection, accountId);
}

/** Returns an active session. Throws unauthorized if it has ended or does not exist. */
export async function readSession(connection: Connection, sessionId: string): Promise<SessionRecord> {
  const session = await findSession(connection, sessionId);
  if (!session) throw credentialError.sessionEnded();
  return session;
}

/** Records the use of the request's session, at most once a minute. The use of keys is recorded by `startLastUsed`. */
export async function recordSessionUse(
  connection: Connection,
  { sessionId, useIsDue }: { sessionId: string | null; useIsDue: boolean },
): Promise<void> {
  if (sessionId !== null && useIsDue) await saveSessionUse(connection, sessionId);
}

/**
 * Locks the caller's session for a sensitive change, and requires a recent sign-in. Throws unauthorized and
 * sign_in_again.
 */
export async function lockRecentSignIn(connection: Connection, principal: Principal): Promise<void> {
  await lockCredential(connection, principal);
  if (principal.sessionId === null) throw credentialError.sessionEnded();
  await requireRecentSignIn(connection, principal.sessionId);
}

/**
 * Requires a session opened within the last 15 minutes, because a browser that was left open must not suffice for
 * sensitive changes. Throws sign_in_again, and unauthorized if the session has ended.
 */
export async function requireRecentSignIn(connection: Connection, sessionId: string): Promise<void> {
  const { isRecent } = await readSession(connection, sessionId);
  if (isRecent) return;
  throw new DomainError(
    'sign_in_again',
    `You signed in more than ${RECENT_MINUTES} minutes ago. Sign in again, and repeat this within ${RECENT_MINUTES} minutes.`,
  );
}

/**
 * Locks the key or session of a caller at the start of a transaction, and checks it again. A transaction that starts
 * after a revocation or sign-out was confirmed therefore writes nothing. Throws 401.
 */
export async function lockCredential(connection: Connection, principal: Principal): Promise<void> {
  const row = await lockCaller(connection, principal);
  requireValidCaller(principal.keyId === null ? 'session' : 'key', row);
}

/**
 * Locks an account against deletion until the transaction ends. Call it before locking rows of the catalog (creators,
 * listings, subjects). Throws not_found, and invalid_request for a deleted account.
 */
export async function lockExistingAccount(connection: Connection, accountId: string): Promise<void> {
  const account = await lockAccount(connection, accountId);
  if (!account) throw new DomainError('not_found', 'There is no such account.');
  if (account.deletedAt !== null)
    throw new DomainError('invalid_request', 'The account was deleted, which is final.');
}
