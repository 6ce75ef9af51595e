import type { Connection } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { requireValidCaller } from '../../platform/http/credentials/credential-errors.ts';
import type { Principal } from '../../platform/http/credentials/principal.ts';
import { lockAccount, lockCaller } from './caller.queries.ts';

/**
 * Locks and rechecks the key or session at the start of a transaction. Once a revocation or sign-out is confirmed, the
 * transaction therefore writes nothing. Throws 401.
 */
export async function lockCredential(connection: Connection, principal: Principal): Promise<void> {
  const row = await lockCaller(connection, principal);
  requireValidCaller(principal.keyId === null ? 'session' : 'key', row);
}

/**
 * Locks an account against deletion until the transaction ends. Call it before locking anything in the registry.
 * Throws not_found, and invalid_request for a deleted account.
 */
export async function lockExistingAccount(connection: Connection, accountId: string): Promise<void> {
  const account = await lockAccount(connection, accountId);
  if (!account) throw new DomainError('not_found', 'There is no such account.');
  if (account.deletedAt !== null)
    throw new DomainError('invalid_request', 'The account was deleted, which is final.');
}
