import type { Connection } from '../database/connect.ts';
import { DIRECTORY_HOST } from '../subjects/naming.ts';

/** True where an account or a creator has the handle, or an owner of a listed repository. */
export async function isHeld(connection: Connection, handle: string): Promise<boolean> {
  // SQL: three tables in one statement, so that all are judged at one moment.
  const bearers = await connection.query(
    `SELECT 1 AS one FROM account WHERE lower(handle) = lower($1)
     UNION ALL SELECT 1 FROM creator WHERE lower(handle) = lower($1)
     UNION ALL SELECT 1 FROM listing WHERE lower(split_part(repository, '/', 1)) = lower($1) LIMIT 1`,
    [handle],
  );
  return bearers.length > 0;
}

/**
 * True where another account has the handle, a creator that is not this account's own, or an owner of listed
 * repositories whom it has not proved to be. What it is called already is its own, in any case.
 */
export async function isHeldByOthers(
  connection: Connection,
  accountId: string,
  handle: string,
): Promise<boolean> {
  // SQL: all who may have it in one statement, judged at one moment.
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
  // SQL: RETURNING tells what it was before.
  const [account] = await connection.query<{ before: string | null }>(
    `UPDATE account a SET handle = $2 FROM account old WHERE a.id = $1 AND old.id = a.id
     RETURNING old.handle AS before`,
    [accountId, handle],
  );
  if (!account) throw new Error('the account is gone');
  // SQL: the creator and, where it has no name of its own, its subject are renamed in one statement.
  await connection.query(
    `WITH renamed AS (UPDATE creator SET handle = $2, updated_at = ledger_now()
       WHERE account_id = $1 AND host = $3 RETURNING subject_id, display_name)
     UPDATE subject s SET name = $2 FROM renamed r WHERE s.id = r.subject_id AND r.display_name IS NULL`,
    [accountId, handle, DIRECTORY_HOST],
  );
  return account.before;
}
