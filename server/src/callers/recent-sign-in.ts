import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { credentialError } from './credential-errors.ts';
import { lockCredential } from './lock-credential.ts';
import type { Principal } from './principal.ts';
import { RECENT_MINUTES } from './session.repository.ts';
import { readSession } from './session.ts';

/**
 * What a change of lasting consequence begins with: the session is read again, for the length of the transaction, and has
 * to be a recent one. Throws unauthorized and sign_in_again.
 */
export async function lockRecentSignIn(connection: Connection, principal: Principal): Promise<void> {
  await lockCredential(connection, principal);
  if (principal.sessionId === null) throw credentialError.sessionEnded();
  await requireRecentSignIn(connection, principal.sessionId);
}

/**
 * Lets pass only a session that was opened within the last 15 minutes: what gives lasting power asks for more than a
 * browser that was left open. Throws sign_in_again, and unauthorized where the session has ended.
 */
export async function requireRecentSignIn(connection: Connection, sessionId: string): Promise<void> {
  const { isRecent } = await readSession(connection, sessionId);
  if (isRecent) return;
  throw new DomainError(
    'sign_in_again',
    `You signed in more than ${RECENT_MINUTES} minutes ago. Sign in again, and repeat this within ${RECENT_MINUTES} minutes.`,
  );
}
