import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';

/**
 * Suspends an account: no request with one of its keys or sessions that is received after this returns is taken, until
 * the account is resumed. Keys, sessions, plan and balances stay as they are. Twice is the same as once. Throws not_found,
 * and invalid_request for a deleted account.
 */
export async function suspendAccount(connection: Connection, accountId: string): Promise<void> {
  await change(connection, accountId, 'coalesce(suspended_at, ledger_now())');
}

/** Takes the suspension back; keys that are active and sessions that still live work again. Throws as suspending does. */
export async function resumeAccount(connection: Connection, accountId: string): Promise<void> {
  await change(connection, accountId, 'NULL');
}

async function change(connection: Connection, accountId: string, suspendedAt: string): Promise<void> {
  const changed = await connection.query(
    `UPDATE account SET suspended_at = ${suspendedAt} WHERE id = $1 AND deleted_at IS NULL RETURNING id`,
    [accountId],
  );
  if (changed.length === 1) return;
  const known = await connection.query('SELECT id FROM account WHERE id = $1', [accountId]);
  if (known.length === 0) throw new DomainError('not_found', 'There is no such account.');
  throw new DomainError('invalid_request', 'The account was deleted, which is final.');
}
