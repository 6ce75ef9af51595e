import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { findCaller, lockCaller } from './caller.repository.ts';
import { requireLivingCaller } from './credential-errors.ts';
import { noteSessionSeen } from './note-session-seen.ts';
import { type Credential, KEY_SCOPES, type Principal, type Scope } from './principal.ts';

/**
 * The principal behind a credential; a session's use is noted. Throws 401 unless it lives, 403 where it lacks the scope;
 * null asks for no scope.
 */
export async function authenticate(
  connection: Connection,
  credential: Credential,
  scope: Scope | null,
): Promise<Principal> {
  const row = await findCaller(connection, credential);
  requireLivingCaller(credential.kind, row);
  await noteSessionSeen(connection, { sessionId: row.session_id, unnoted: row.unnoted });
  const principal = {
    accountId: row.account_id,
    keyId: row.key_id,
    sessionId: row.session_id,
    scopes: row.scopes ?? KEY_SCOPES,
  };
  if (scope !== null && !principal.scopes.includes(scope)) {
    throw new DomainError(
      'insufficient_scope',
      `The access key lacks the scope ${scope}. Create one that has it.`,
    );
  }
  return principal;
}

/**
 * Reads the key or session again FOR SHARE at the start of a transaction, so that what the transaction writes cannot
 * follow a revocation or sign-out that was already answered. Throws 401.
 */
export async function lockCredential(connection: Connection, principal: Principal): Promise<void> {
  const row = await lockCaller(connection, principal);
  requireLivingCaller(principal.keyId === null ? 'session' : 'key', row);
}
