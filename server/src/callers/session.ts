import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Connection } from '../database/connect.ts';
import { credentialError } from './credential-errors.ts';
import type { Credential } from './principal.ts';
import { hashSecret } from './secret.ts';
import {
  findSession,
  insertSession,
  saveKeysRevoked,
  saveSessionEnd,
  saveSessionsEnd,
} from './session.repository.ts';

const TOKEN_BYTES = 32;
/** Twelve hours. */
const LONGEST_MINUTES = 720;

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

/**
 * Opens a console session of an account: the token is the caller's to hand over this once, only its hash is kept.
 * The session ends after 30 minutes without a request, and so many minutes after its opening in any case.
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

/** Ends a session: no request received after this returns is taken. False where it had ended before. */
export function endSession(connection: Connection, sessionId: string): Promise<boolean> {
  return saveSessionEnd(connection, { id: sessionId });
}

/** Ends the session that somebody presents; nothing is said of it, since anyone who has a token may give it up. */
export async function giveUpSession(connection: Connection, { kind, hash }: Credential): Promise<void> {
  if (kind === 'session') await saveSessionEnd(connection, { tokenHash: hash });
}

/** Signs an account out everywhere: ends all its sessions, this one too. Answers how many could still have been used. */
export function endAllSessions(connection: Connection, accountId: string): Promise<number> {
  return saveSessionsEnd(connection, accountId);
}

/** Ends every session and revokes every key of an account: no request received after the commit is taken. */
export async function endCredentials(connection: Connection, accountId: string): Promise<void> {
  await saveSessionsEnd(connection, accountId);
  await saveKeysRevoked(connection, accountId);
}

/** How a session stands; throws unauthorized where it has ended. */
export async function readSession(connection: Connection, sessionId: string): Promise<SessionRecord> {
  const session = await findSession(connection, sessionId);
  if (!session) throw credentialError.sessionEnded();
  return session;
}
