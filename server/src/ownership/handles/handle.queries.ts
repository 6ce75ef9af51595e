import { DIRECTORY_HOST } from '../../catalog/subjects/public-path.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { NOT } from '../../platform/database/models/table.ts';
import type { ProvedOwner } from './claim-handle.ts';
import { HAD_AS_OWNER } from './ownership.queries.ts';

/** Returns true if an account, a creator or an owner of a listed repository has the handle. */
export async function isHandleTaken(connection: Connection, handle: string): Promise<boolean> {
  // Raw SQL: reads accounts, creators and listings with this handle in one statement, so from one snapshot.
  const owners = await connection.query(
    `SELECT 1 AS one FROM account WHERE lower(handle) = lower($1)
     UNION ALL SELECT 1 FROM creator WHERE lower(handle) = lower($1)
     UNION ALL SELECT 1 FROM listing WHERE lower(split_part(repository, '/', 1)) = lower($1) LIMIT 1`,
    [handle],
  );
  return owners.length > 0;
}

/**
 * Returns true if the handle is taken by anyone but this account:
 * - another account has it;
 * - a creator has it that is neither the account's own creator nor merged into that creator;
 * - an owner of listed repositories has it, unless the account has proved that owner's host account or already has the
 *   handle.
 */
export async function isHandleTakenByOthers(
  connection: Connection,
  accountId: string,
  handle: string,
): Promise<boolean> {
  // Raw SQL: reads accounts, creators and listings with this handle in one statement, so from one snapshot.
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
 * Returns the previous handle; null if there was none.
 */
export async function renameAccount(
  connection: Connection,
  accountId: string,
  handle: string,
): Promise<string | null> {
  // Raw SQL: RETURNING supplies the previous handle.
  const [account] = await connection.query<{ before: string | null }>(
    `UPDATE account a SET handle = $2 FROM account old WHERE a.id = $1 AND old.id = a.id
     RETURNING old.handle AS before`,
    [accountId, handle],
  );
  if (!account) throw new Error('the account is gone');
  // Raw SQL: one statement renames the creator and, if it has no display name, its subject.
  await connection.query(
    `WITH renamed AS (UPDATE creator SET handle = $2, updated_at = ledger_now()
       WHERE account_id = $1 AND host = $3 RETURNING subject_id, display_name)
     UPDATE subject s SET name = $2 FROM renamed r WHERE s.id = r.subject_id AND r.display_name IS NULL`,
    [accountId, handle, DIRECTORY_HOST],
  );
  return account.before;
}

/** Returns the creator handle of an account; null if none is chosen yet, or if there is no such account. */
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
 * Returns the id of the account's creator if that creator comes from a repository host and its handle differs from the
 * account's; otherwise null.
 */
export async function findDifferentlyNamedCreator(
  connection: Connection,
  accountId: string,
): Promise<string | null> {
  // Raw SQL: a join that compares the two names.
  const [creator] = await connection.query<{ id: string }>(
    `SELECT c.subject_id AS id FROM creator c JOIN account a ON a.id = c.account_id
     WHERE a.id = $1 AND c.host <> $2 AND c.handle <> a.handle`,
    [accountId, DIRECTORY_HOST],
  );
  return creator?.id ?? null;
}

/** Moves all listings of a creator to another creator; the former creator stays in the listings' history. */
export async function moveAllListings(connection: Connection, from: string, to: string): Promise<void> {
  // Raw SQL: changes the listings and inserts their history in one statement.
  await connection.query(
    `WITH moved AS (UPDATE listing SET creator_id = $2, updated_at = ledger_now() WHERE creator_id = $1 RETURNING subject_id)
     INSERT INTO listing_creator_history (listing_id, creator_id) SELECT subject_id, $1 FROM moved ORDER BY 1`,
    [from, to],
  );
}

/** Returns true if the directory account still has a valid proof of this host account, for example by another link. */
export async function isStillProved(
  connection: Connection,
  { accountId, host, handle, hostAccountId }: ProvedOwner,
): Promise<boolean> {
  // Raw SQL: `proved_account` is a view.
  const proofs = await connection.query(
    `SELECT 1 AS one FROM proved_account WHERE account_id = $1 AND kind = 'repo_host' AND host = $2
     AND (host_account_id = $4 OR (lower(handle) = lower($3) AND ($4::text IS NULL OR host_account_id IS NULL)))`,
    [accountId, host, handle, hostAccountId],
  );
  return proofs.length > 0;
}

/**
 * Returns the creator of the proved host account, if it is the directory account's own creator (`ownId`) or was merged
 * into that creator; otherwise null.
 */
export async function findDetachableCreator(
  connection: Connection,
  ownId: string,
  { host, handle, hostAccountId }: ProvedOwner,
): Promise<string | null> {
  // Raw SQL: of two candidates, the one with the host's id comes first.
  const [creator] = await connection.query<{ id: string }>(
    `SELECT subject_id AS id FROM creator WHERE (subject_id = $1 OR merged_into = $1) AND host = $2
     AND (host_account_id = $4 OR lower(handle) = lower($3))
     ORDER BY host_account_id IS NOT DISTINCT FROM $4 DESC, (lower(handle) = lower($3)) DESC LIMIT 1`,
    [ownId, host, handle, hostAccountId],
  );
  return creator?.id ?? null;
}

/**
 * Returns the listings of a creator whose repositories belong to the host account and which no existing account has
 * registered: an import listed them, or an account that has since been deleted.
 */
export async function unregisteredListings(
  connection: Connection,
  creatorId: string,
  { accountId, host, handle, hostAccountId }: ProvedOwner,
): Promise<string[]> {
  // Raw SQL: for some listings the owner is known only from the repository's name (`owner/name`).
  const rows = await connection.query<{ id: string }>(
    `SELECT l.subject_id AS id FROM listing l WHERE l.creator_id = $5 AND l.host = $2 AND ${HAD_AS_OWNER}
     AND NOT EXISTS (SELECT FROM creator c WHERE c.account_id = l.registered_by) ORDER BY 1`,
    [accountId, host, handle, hostAccountId, creatorId],
  );
  return rows.map(({ id }) => id);
}

/**
 * Restores a creator's display name, and the upper and lower case of its handle, from the last import: imports do not
 * change them while an account owns the creator. Without an import, both stay. If `forgetsId` is true, also clears the
 * stored id of the host account.
 */
export async function restoreCreator(
  connection: Connection,
  creatorId: string,
  forgetsId: boolean,
): Promise<void> {
  // Raw SQL: the names come from the stored import, and the subject's name from the creator's.
  await connection.query(
    `UPDATE creator SET display_name = CASE WHEN imported IS NULL THEN display_name
         ELSE nullif(btrim(imported ->> 'displayName'), '') END,
       handle = CASE WHEN lower(imported ->> 'handle') = lower(handle) THEN imported ->> 'handle' ELSE handle END,
       host_account_id = CASE WHEN $2 THEN NULL ELSE host_account_id END, updated_at = ledger_now()
     WHERE subject_id = $1`,
    [creatorId, forgetsId],
  );
  await connection.query(
    `UPDATE subject s SET name = coalesce(c.display_name, c.handle) FROM creator c
     WHERE c.subject_id = s.id AND s.id = $1`,
    [creatorId],
  );
}
