import type { Connection } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import {
  type Credential,
  KEY_SCOPES,
  type Principal,
  requireValidCaller,
  type Scope,
} from '../../platform/http/credentials/principal.ts';
import { findCaller } from './caller.queries.ts';
import { recordSessionUse } from './session.ts';

/**
 * Returns the principal of a credential and records the use of a session. Throws 401 if the credential is not valid,
 * 403 if it lacks the scope. If `scope` is null, no scope is required.
 */
export async function authenticate(
  connection: Connection,
  credential: Credential,
  scope: Scope | null,
): Promise<Principal> {
  const row = await findCaller(connection, credential);
  requireValidCaller(credential.kind, row);
  await recordSessionUse(connection, { sessionId: row.session_id, useIsDue: row.use_is_due });
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
