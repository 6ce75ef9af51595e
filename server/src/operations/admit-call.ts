import { noteSessionSeen } from '../callers/note-session-seen.ts';
import type { Database } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import type { LookUp } from '../ledger/look-up.ts';
import type { OperationCall } from './operation-call.ts';

/** The id of the key or session behind the call. */
export function callerIdOf({ keyId, sessionId }: LookUp): string {
  const id = keyId ?? sessionId;
  if (id === null) throw new Error('a caller is a key or a session');
  return id;
}

/** With a key, `api_key_id` may only repeat its id; with a session, it names a key of the account that works. */
function requireNamedKey({ namedKeyId }: OperationCall, { keyId, namedKey }: LookUp): void {
  if (namedKeyId === null) return;
  if (keyId !== null) {
    if (namedKeyId === keyId) return;
    throw new DomainError(
      'key_mismatch',
      'api_key_id is not the id of the access key that signs this request. Leave it out: the key is derived from the bearer token.',
    );
  }
  if (!namedKey) {
    throw new DomainError(
      'key_mismatch',
      'api_key_id is not the id of an access key of this account. Name one of its active keys, or leave it out.',
    );
  }
  if (!namedKey.works) {
    throw new DomainError(
      'key_inactive',
      'The access key that api_key_id names is not active. Name an active one, or leave it out.',
    );
  }
}

function requireScope({ request, scope }: OperationCall, { scopeOk, namedKey }: LookUp): void {
  if (scopeOk && (namedKey?.scopeOk ?? true)) return;
  throw new DomainError(
    'insufficient_scope',
    `${request.operation} needs the scope ${scope}, which this access key lacks. Create a key that has it.`,
  );
}

/** Throws the 403 of a living caller that may not make this call: first what api_key_id says, then the scope. */
export function requireAllowed(call: OperationCall, found: LookUp): void {
  requireNamedKey(call, found);
  requireScope(call, found);
}

/**
 * What a living caller still has to show for this call: what api_key_id says of a key, then the scope (403, 403). A
 * session's use is noted.
 */
export async function admitCall(database: Database, call: OperationCall, found: LookUp): Promise<void> {
  requireAllowed(call, found);
  await noteSessionSeen(database, found);
}
