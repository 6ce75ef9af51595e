import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Connection } from '../database/connect.ts';
import { authenticate } from './authenticate.ts';
import { credentialError } from './credential-errors.ts';
import type { Principal } from './principal.ts';
import { hashSecret } from './secret.ts';
import {
  findSession,
  insertSession,
  markSessionEnded,
  markSessionsEnded,
  type SessionRecord,
} from './session.repository.ts';

const TOKEN_BYTES = 32;
/**
 * Opens a console session of an account: the token is the caller's to hand over this once, only its hash is kept.
 * The session ends after 30 minutes without a request, and 12 hours after its opening in any case.
 */
export async function openSession(
  connection: Connection,
  accountId: string,
  openedBy: 'operator' | 'sign_in',
): Promise<{ sessionId: string; token: string }> {
  const id = uuidv7();
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await insertSession(connection, { id, accountId, tokenHash: hashSecret(token), openedBy });
  return { sessionId: id, token };
}

/** The principal of a living session, whose use is noted; throws 401 for any other. */
export function authenticateSession(connection: Connection, tokenHash: Buffer): Promise<Principal> {
  return authenticate(connection, { kind: 'session', hash: tokenHash }, null);
}

/** Ends a session: no request received after this returns is taken. False where it had ended before. */
export function endSession(connection: Connection, sessionId: string): Promise<boolean> {
  return markSessionEnded(connection, sessionId);
}

/** Signs an account out everywhere: ends all its sessions, this one too. Answers how many could still have been used. */
export function endAllSessions(connection: Connection, accountId: string): Promise<number> {
  return markSessionsEnded(connection, accountId);
}

/** How a session stands; throws unauthorized where it has ended. */
export async function readSession(connection: Connection, sessionId: string): Promise<SessionRecord> {
  const session = await findSession(connection, sessionId);
  if (!session) throw credentialError.sessionEnded();
  return session;
}
