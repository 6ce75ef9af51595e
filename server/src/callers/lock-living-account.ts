import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { lockAccount } from './account.repository.ts';

/**
 * Keeps an account from being deleted until the transaction ends; taken before any lock on the registry. Throws not_found,
 * and invalid_request where it is deleted.
 */
export async function lockLivingAccount(connection: Connection, accountId: string): Promise<void> {
  const account = await lockAccount(connection, accountId);
  if (!account) throw new DomainError('not_found', 'There is no such account.');
  if (account.deletedAt !== null)
    throw new DomainError('invalid_request', 'The account was deleted, which is final.');
}
