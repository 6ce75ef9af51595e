import { DIRECTORY_HOST } from '../../catalog/subjects/public-path.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { NOT } from '../../platform/database/models/table.ts';

/** Returns true if an account, a creator or an owner of a listed repository has the handle. */
export async function isHandleTaken(connection: Connection, handle: string): Promise<boolean> {
  // SQL: reads accounts, creators and listings with this handle in one statement, so from one snapshot.
  const owners = await connection.query(
    `SELECT 1 AS one FROM account WHERE lower(handle) = lower($1)
     UNION ALL SELECT 1 FROM creator WHERE lower(handle) = lower($1)
     UNION ALL SELECT 1 FROM listing WHERE lower(split_part(repository, '/', 1)) = lower($1) LIMIT 1`,
    [handle],
  );
  return owners.length > 0;
}

/**
 * Returns true if another account has the handle, or if a creator has it that is neither the account's own nor merged
 * into the account's creator. Also returns true if an owner of listed repositories has the handle, unless the account
 * has proved that owner's host account or has the handle already.
 */
export async function isHandleTakenByOthers(
  connection: Connection,
  accountId: string,
  handle: string,
): Promise<boolean> {
  // SQL: reads accounts, creators and listings with this handle in one statement, so from one snapshot.
  const owners = await connection.query(
    `SELECT 1 AS one FROM account WHERE lower(handle) = lower($2) AND id <> $1
     UNION ALL SELECT 1 FROM creator c JOIN creator holder ON holder.subject_id = coalesce(c.merged_into, c.subject_id)
       WHERE lower(c.handle) = lower($2) AND holder.account_id IS DISTINCT FROM $1
     UNION ALL SELECT 1 FROM listing l WHERE lower(split_part(l.repository, '/', 1)) = lower($2)
       AND NOT EXISTS (SELECT FROM account own WHERE own.id = $1 AND lower(own.handle) = lower($2))
       AND NOT EXISTS (SELECT FROM proved_account p WHERE p.account_id = $1 AND p.kind = 'repo_host'
         AND p.host = lower(l.host) AND lower(p.handle) = lower($2)) LIMIT 1`,
    [accountId, handle],
  );
  return owners.length > 0;
}

/**
 * Stores an account's new handle. Renames the account's creator too, unless that creator comes from a repository host.
 * Returns the previous handle, or null.
 */
export async function renameAccount(
  connection: Connection,
  accountId: string,
  handle: string,
): Promise<string | null> {
  // SQL: RETURNING supplies the previous handle.
  const [account] = await connection.query<{ before: string | null }>(
    `UPDATE account a SET handle = $2 FROM account old WHERE a.id = $1 AND old.id = a.id
     RETURNING old.handle AS before`,
    [accountId, handle],
  );
  if (!account) throw new Error('the account is gone');
  // SQL: one statement renames the creator and, if it has no display name, its subject.
  await connection.query(
    `WITH renamed AS (UPDATE creator SET handle = $2, updated_at = ledger_now()
       WHERE account_id = $1 AND host = $3 RETURNING subject_id, display_name)
     UPDATE subject s SET name = $2 FROM renamed r WHERE s.id = r.subject_id AND r.display_name IS NULL`,
    [accountId, handle, DIRECTORY_HOST],
  );
  return account.before;
}

/** Returns the creator handle of an account; null until its owner chooses one after the first sign-in. */
export async function findHandle(
  { models, transaction }: Connection,
  accountId: string,
): Promise<string | null> {
  const account = await models.Account.findOne<{ handle: string | null }>({
    attributes: ['handle'],
    where: { id: accountId },
    raw: true,
    transaction,
  });
  return account?.handle ?? null;
}

/**
 * Returns the handle of the creator that an account has claimed by a proof, as spelled on its host; null if there is
 * none.
 */
export async function findProvedHandle(
  { models, transaction }: Connection,
  accountId: string,
): Promise<string | null> {
  const creator = await models.Creator.findOne<{ handle: string }>({
    attributes: ['handle'],
    where: { accountId, host: { [NOT]: DIRECTORY_HOST } },
    raw: true,
    transaction,
  });
  return creator?.handle ?? null;
}

/**
 * Returns the id of the account's creator on a repository host if its handle differs from the account's; otherwise
 * null.
 */
export async function findDifferentlyNamedCreator(
  connection: Connection,
  accountId: string,
): Promise<string | null> {
  // SQL: a join that compares the two names.
  const [creator] = await connection.query<{ id: string }>(
    `SELECT c.subject_id AS id FROM creator c JOIN account a ON a.id = c.account_id
     WHERE a.id = $1 AND c.host <> $2 AND c.handle <> a.handle`,
    [accountId, DIRECTORY_HOST],
  );
  return creator?.id ?? null;
}

/** Moves all listings of a creator to another creator; the former creator stays in the listings' history. */
export async function moveAllListings(connection: Connection, from: string, to: string): Promise<void> {
  // SQL: changes the listings and inserts their history in one statement.
  await connection.query(
    `WITH moved AS (UPDATE listing SET creator_id = $2, updated_at = ledger_now() WHERE creator_id = $1 RETURNING subject_id)
     INSERT INTO listing_creator_history (listing_id, creator_id) SELECT subject_id, $1 FROM moved ORDER BY 1`,
    [from, to],
  );
}
