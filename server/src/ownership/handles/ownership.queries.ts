import { v7 as uuidv7 } from 'uuid';
import { updateListingCopies } from '../../catalog/listings/write-listings.ts';
import { creatorKey, nameKey } from '../../catalog/registry-keys.ts';
import { lockMoreKeys, type RegistryKey, readLocked } from '../../catalog/registry-locks.ts';
import { DIRECTORY_HOST } from '../../catalog/subjects/public-path.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { ALL, equalsIgnoringCase, NOW } from '../../platform/database/models/table.ts';

/**
 * SQL that is true for a listing `l` on host `$2` that account `$1` owned under handle `$3` with the host's id `$4`:
 * the listing has this owner id, or the repository's name begins with the handle and no valid proof of the account
 * covers the listing's owner id.
 */
export const HAD_AS_OWNER = `(l.host_owner_id = $4 OR (lower(split_part(l.repository, '/', 1)) = lower($3)
  AND NOT EXISTS (SELECT FROM proved_account p WHERE p.account_id = $1 AND p.kind = 'repo_host' AND p.host = $2
    AND p.host_account_id = l.host_owner_id)))`;

/**
 * A stored creator. `accountId` is null for an unclaimed creator, `mergedInto` is null for a creator that is not merged
 * into another, and `hostAccountId` is null if the host's id of the account is unknown.
 */
export interface HandleOwner {
  id: string;
  host: string;
  handle: string;
  accountId: string | null;
  mergedInto: string | null;
  hostAccountId: string | null;
}

/** An account on a repository host. */
interface Owner {
  host: string;
  handle: string;
}

const BEARER = [
  ['subject_id', 'id'] as [string, string],
  'host',
  'handle',
  'accountId',
  'mergedInto',
  'hostAccountId',
];

/** Returns the creator with this handle on this host; null if there is none. */
export function findHandleOwner(
  { models, transaction }: Connection,
  { host, handle }: Owner,
): Promise<HandleOwner | null> {
  const where = { [ALL]: [{ host }, equalsIgnoringCase('handle', handle)] };
  return models.Creator.findOne<HandleOwner>({ attributes: BEARER, where, raw: true, transaction });
}

/** Returns the creator with this handle on this host. If there is none, creates one that has no aliases yet. */
export async function ensureHandleOwner(
  connection: Connection,
  { host, handle }: Owner,
): Promise<HandleOwner> {
  await lockMoreKeys(connection, [nameKey(handle)]);
  const known = await readLocked(
    connection,
    () => findHandleOwner(connection, { host, handle }),
    keysOfHandleOwner,
  );
  if (known) return known;
  const { models, transaction } = connection;
  const id = uuidv7();
  await models.Subject.create({ id, type: 'creator', name: handle }, { transaction });
  await models.Creator.create({ subjectId: id, host, handle }, { transaction });
  await lockMoreKeys(connection, [creatorKey(id)]);
  return { id, host, handle, accountId: null, mergedInto: null, hostAccountId: null };
}

/** Returns the keys that lock a creator, its handle, and the creator that it is merged into. */
export function keysOfHandleOwner(handleOwner: HandleOwner | null): RegistryKey[] {
  if (handleOwner === null) return [];
  const { id, handle, mergedInto: holder } = handleOwner;
  return [nameKey(handle), creatorKey(id), ...(holder === null ? [] : [creatorKey(holder)])];
}

/**
 * Returns the creator of the host account with this id; of several, prefers the one with the given handle. Null if
 * there is none.
 */
export async function findCreatorOfHostAccount(
  connection: Connection,
  { host, handle, hostAccountId }: Owner & { hostAccountId: string },
): Promise<HandleOwner | null> {
  // Raw SQL: orders by a comparison of names.
  const [creator] = await connection.query<HandleOwner>(
    `SELECT subject_id AS id, host, handle, account_id AS "accountId", merged_into AS "mergedInto",
       host_account_id AS "hostAccountId" FROM creator WHERE host = $1 AND host_account_id = $3
     ORDER BY lower(handle) = lower($2) DESC, created_at LIMIT 1`,
    [host, handle, hostAccountId],
  );
  return creator ?? null;
}

/**
 * Returns the creator of the directory account with a valid proof of the host account with this id; null if there is
 * none.
 */
export async function findCreatorWithProof(
  connection: Connection,
  { host, hostAccountId }: { host: string; hostAccountId: string },
): Promise<string | null> {
  // Raw SQL: `proved_account` is a view.
  const [creator] = await connection.query<{ id: string }>(
    `SELECT c.subject_id AS id FROM proved_account p JOIN creator c ON c.account_id = p.account_id
     WHERE p.kind = 'repo_host' AND p.host = $1 AND p.host_account_id = $2`,
    [host, hostAccountId],
  );
  return creator?.id ?? null;
}

/**
 * Returns the ids of these creators, of their listings and of the listings' children, read from one snapshot, so that
 * the caller can lock all of them in one order.
 */
export async function findAffectedSubjects(
  connection: Connection,
  creatorIds: readonly string[],
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `WITH own AS (SELECT subject_id AS id FROM listing WHERE creator_id = ANY ($1::uuid[]))
     SELECT unnest($1::uuid[]) AS id UNION SELECT id FROM own
     UNION SELECT l.subject_id FROM listing l JOIN own ON l.parent_id = own.id`,
    [creatorIds],
  );
  return rows.map(({ id }) => id);
}

/** Sets the creator's directory account and its host account's id; null leaves a value unchanged. */
export async function setCreatorAccount(
  { models, transaction }: Connection,
  creatorId: string,
  accountId: string | null,
  hostAccountId: string | null,
): Promise<void> {
  const given = {
    ...(accountId !== null && { accountId }),
    ...(hostAccountId !== null && { hostAccountId }),
  };
  await models.Creator.update({ ...given, updatedAt: NOW }, { where: { subjectId: creatorId }, transaction });
}

/** Detaches a creator from its account, or from the creator into which it was merged, and clears its verified flag. */
export async function detachCreator({ models, transaction }: Connection, creatorId: string): Promise<void> {
  const nobodys = { accountId: null, mergedInto: null, verified: false };
  await models.Creator.update(nobodys, { where: { subjectId: creatorId }, transaction });
}

/** Merges creator `from` into creator `into`, and clears the verified flag of `from`. */
export async function mergeCreators(
  { models, transaction }: Connection,
  from: string,
  into: string,
): Promise<void> {
  const merged = { mergedInto: into, verified: false, updatedAt: NOW };
  await models.Creator.update(merged, { where: { subjectId: from }, transaction });
}

/** Returns the creators that were merged into this one. */
export async function mergedInto({ models, transaction }: Connection, creatorId: string): Promise<string[]> {
  const creators = await models.Creator.findAll({
    attributes: ['subjectId'],
    where: { mergedInto: creatorId },
    order: ['subjectId'],
    transaction,
  });
  return creators.map(({ subjectId }) => subjectId);
}

/**
 * Renames a creator whose handle now belongs to another host account. A creator with a directory account becomes a
 * creator of the host `directory`, with that account's handle and without an id of a host account. Any other creator
 * gets `handle~id`, with the host's id of its own host account; no host allows `~` in a handle.
 */
export async function replaceRetiredHandle(
  connection: Connection,
  { id, accountId }: HandleOwner,
): Promise<void> {
  await connection.query(
    accountId === null
      ? "UPDATE creator SET handle = handle || '~' || host_account_id WHERE subject_id = $1"
      : `UPDATE creator c SET host = '${DIRECTORY_HOST}', handle = coalesce(a.handle, a.id::text), host_account_id = NULL FROM account a
         WHERE c.subject_id = $1 AND a.id = c.account_id`,
    [id],
  );
}

// Raw SQL: the owner is a part of the repository's name, compared without case.
const IS_OWNERS = "host = $2 AND lower(split_part(repository, '/', 1)) = lower($3)";

/**
 * Returns the ids of the creator's listings whose repository name begins with this owner's handle; of all its listings
 * if `owner` is null.
 */
export async function listingsOfOwner(
  connection: Connection,
  creatorId: string,
  owner: Owner | null,
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `SELECT subject_id AS id FROM listing WHERE creator_id = $1 ${owner ? `AND ${IS_OWNERS}` : ''} ORDER BY 1`,
    owner ? [creatorId, owner.host, owner.handle] : [creatorId],
  );
  return rows.map(({ id }) => id);
}

/**
 * Moves listings to a creator; the previous creator stays in their history. Withdraws the acknowledgements that the
 * previous creator gave for these listings (see `withdrawAcknowledgements`). The caller has locked the subjects of the
 * listings and of their children.
 */
export async function moveListings(
  connection: Connection,
  listingIds: readonly string[],
  creatorId: string,
): Promise<void> {
  if (listingIds.length === 0) return;
  await connection.query(
    // A verified flag that is based on the name alone is cleared.
    `WITH passed_on AS (INSERT INTO listing_creator_history (listing_id, creator_id)
       SELECT subject_id, creator_id FROM listing WHERE subject_id = ANY ($1::uuid[]) AND creator_id <> $2)
     UPDATE listing SET creator_id = $2, verified = verified AND host_owner_id IS NOT NULL, updated_at = ledger_now()
     WHERE subject_id = ANY ($1::uuid[])`,
    [listingIds, creatorId],
  );
  await updateListingCopies(connection, listingIds);
  await withdrawAcknowledgements(connection, listingIds);
}

/**
 * Withdraws the acknowledgements of these listings: the statements of their creator that their children descend from
 * them. The descent of a child is then only the child's claim. The caller has locked the subjects of the children.
 */
export async function withdrawAcknowledgements(
  connection: Connection,
  listingIds: readonly string[],
): Promise<void> {
  await connection.query(
    `UPDATE listing SET parent_acknowledged_at = NULL
     WHERE parent_id = ANY ($1::uuid[]) AND parent_acknowledged_at IS NOT NULL`,
    [listingIds],
  );
}
