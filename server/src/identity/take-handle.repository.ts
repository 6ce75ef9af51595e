import type { Connection } from '../database/connect.ts';
import { DIRECTORY_HOST } from '../subjects/naming.ts';

/** True where another account bears the handle, or a creator that is not this account's own. */
export async function isBorneByOthers(
  connection: Connection,
  accountId: string,
  handle: string,
): Promise<boolean> {
  const bearers = await connection.query(
    `SELECT 1 AS one FROM account WHERE lower(handle) = lower($2) AND id <> $1
     UNION ALL SELECT 1 FROM creator c JOIN creator bearer ON bearer.subject_id = coalesce(c.merged_into, c.subject_id)
       WHERE lower(c.handle) = lower($2) AND bearer.account_id IS DISTINCT FROM $1 LIMIT 1`,
    [accountId, handle],
  );
  return bearers.length > 0;
}

/** Stores an account's new handle, and its creator's where that is known here by no other; answers the old one. */
export async function renameAccount(
  connection: Connection,
  accountId: string,
  handle: string,
): Promise<string> {
  const [account] = await connection.query<{ before: string }>(
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
