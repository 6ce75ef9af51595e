import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { DIRECTORY_HOST } from '../subjects/naming.ts';

/** True where an account or a creator bears the handle, or an owner of a listed repository. */
export async function isBorne(connection: Connection, handle: string): Promise<boolean> {
  const bearers = await connection.query(
    `SELECT 1 AS one FROM account WHERE lower(handle) = lower($1)
     UNION ALL SELECT 1 FROM creator WHERE lower(handle) = lower($1)
     UNION ALL SELECT 1 FROM listing WHERE lower(split_part(repository, '/', 1)) = lower($1) LIMIT 1`,
    [handle],
  );
  return bearers.length > 0;
}

/**
 * Keeps an account from being deleted until the transaction ends; taken before any lock on the registry. Throws not_found,
 * and invalid_request where it is deleted.
 */
export async function lockLivingAccount(connection: Connection, accountId: string): Promise<void> {
  const [account] = await connection.query<{ deleted: boolean }>(
    'SELECT deleted_at IS NOT NULL AS deleted FROM account WHERE id = $1 FOR NO KEY UPDATE',
    [accountId],
  );
  if (!account) throw new DomainError('not_found', 'There is no such account.');
  if (account.deleted) throw new DomainError('invalid_request', 'The account was deleted, which is final.');
}

/**
 * True where another account bears the handle, a creator that is not this account's own, or an owner of listed
 * repositories whom it has not proved to be. What it is called already is its own, in any case.
 */
export async function isBorneByOthers(
  connection: Connection,
  accountId: string,
  handle: string,
): Promise<boolean> {
  const bearers = await connection.query(
    `SELECT 1 AS one FROM account WHERE lower(handle) = lower($2) AND id <> $1
     UNION ALL SELECT 1 FROM creator c JOIN creator bearer ON bearer.subject_id = coalesce(c.merged_into, c.subject_id)
       WHERE lower(c.handle) = lower($2) AND bearer.account_id IS DISTINCT FROM $1
     UNION ALL SELECT 1 FROM listing l WHERE lower(split_part(l.repository, '/', 1)) = lower($2)
       AND NOT EXISTS (SELECT FROM account own WHERE own.id = $1 AND lower(own.handle) = lower($2))
       AND NOT EXISTS (SELECT FROM proved_account p WHERE p.account_id = $1 AND p.kind = 'repo_host'
         AND p.host = lower(l.host) AND lower(p.handle) = lower($2)) LIMIT 1`,
    [accountId, handle],
  );
  return bearers.length > 0;
}

/** Stores an account's new handle, and its creator's where that is known here by no other; answers the old one, if any. */
export async function renameAccount(
  connection: Connection,
  accountId: string,
  handle: string,
): Promise<string | null> {
  const [account] = await connection.query<{ before: string | null }>(
    `UPDATE account a SET handle = $2 FROM account old WHERE a.id = $1 AND old.id = a.id
     RETURNING old.handle AS before`,
    [accountId, handle],
  );
  if (!account) throw new Error('the account is gone');
  await connection.query(
    `WITH renamed AS (UPDATE creator SET handle = $2, updated_at = ledger_now()
       WHERE account_id = $1 AND host = $3 RETURNING subject_id, display_name)
     UPDATE subject s SET name = $2 FROM renamed r WHERE s.id = r.subject_id AND r.display_name IS NULL`,
    [accountId, handle, DIRECTORY_HOST],
  );
  return account.before;
}
