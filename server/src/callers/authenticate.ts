import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { findCaller } from './caller.repository.ts';
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
