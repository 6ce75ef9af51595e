import { updateListingCopies } from '../../catalog/listings/write-listings.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { ALL, equalsIgnoringCase, NOW } from '../../platform/database/models/table.ts';
import type { ListedRepository, OwnersRegistration } from './claim-listing.ts';
import type { OwnerHandles } from './read-owned-repositories.ts';

/** Returns the listing of a repository, ignoring the case of its name; null if there is none. */
export function findListedRepository(
  { models, transaction }: Connection,
  { host, repository }: { host: string; repository: string },
): Promise<ListedRepository | null> {
  return models.Listing.findOne<ListedRepository>({
    attributes: [['subject_id', 'id'], 'agentId', 'type', 'creatorId', 'registeredBy'],
    where: { [ALL]: [equalsIgnoringCase('host', host), equalsIgnoringCase('repository', repository)] },
    raw: true,
    transaction,
  });
}

/**
 * Returns the id of a repository's listing (an empty string if it is not listed) and the host's id of the repository
 * (null if unknown). Returns null unless the account has proved one of two host accounts: the owner named in
 * `repository`, or the owner of the listed repository when it was last read.
 */
export async function findClaimable(
  connection: Connection,
  { accountId, host, repository }: { accountId: string; host: string; repository: string },
): Promise<{ id: string; hostRepositoryId: string | null } | null> {
  // Raw SQL: `proved_account` is a view, and the listing may be missing.
  const [found] = await connection.query<{ id: string | null; hostRepositoryId: string | null }>(
    `SELECT l.subject_id AS id, l.host_repository_id AS "hostRepositoryId" FROM proved_account p
     LEFT JOIN listing l ON lower(l.host) = lower($2) AND lower(l.repository) = lower($3)
     WHERE p.account_id = $1 AND p.kind = 'repo_host' AND p.host = lower($2)
       AND (lower(p.handle) = lower(split_part($3, '/', 1)) OR p.host_account_id = l.host_owner_id) LIMIT 1`,
    [accountId, host, repository],
  );
  return found ? { ...found, id: found.id ?? '' } : null;
}

/**
 * Returns how an account has proved the owner of a listing's repository. `id`: the proved id is the listing's owner id,
 * and the listing's repository is not in doubt. `handle`: any other proof of the owner's id or handle. Null: no proof.
 */
export async function findOwnersProof(
  connection: Connection,
  listingId: string,
  accountId: string,
): Promise<'id' | 'handle' | null> {
  // Raw SQL: `proved_account` is a view.
  const proofs = await connection.query<{ byId: boolean }>(
    `SELECT coalesce(l.identity_doubt IS NULL
       AND l.host_owner_id = coalesce(p.host_account_id, 'handle:' || lower(p.handle)), false) AS "byId"
     FROM listing l JOIN proved_account p ON p.account_id = $2 AND p.kind = 'repo_host' AND p.host = lower(l.host)
     WHERE l.subject_id = $1 AND (l.host_owner_id = coalesce(p.host_account_id, 'handle:' || lower(p.handle))
       OR lower(p.handle) = lower(split_part(l.repository, '/', 1)))`,
    [listingId, accountId],
  );
  if (proofs.length === 0) return null;
  return proofs.some(({ byId }) => byId) ? 'id' : 'handle';
}

/** Replaces a listing's texts with those of the owner's registration; later imports leave these texts unchanged. */
export async function rewriteListing(
  connection: Connection,
  id: string,
  { accountId, name, description, category, tags }: OwnersRegistration,
): Promise<void> {
  const { models, transaction } = connection;
  const words = { name, description, category, tags: [...tags], registeredBy: accountId };
  await models.Listing.update({ ...words, updatedAt: NOW }, { where: { subjectId: id }, transaction });
  await updateListingCopies(connection, [id]);
  await models.Subject.update({ name }, { where: { id }, transaction });
}

/** Returns the listings whose parent is one of these listings, in id order. */
export async function childrenOf(
  { models, transaction }: Connection,
  listingIds: readonly string[],
): Promise<string[]> {
  const children = await models.Listing.findAll<{ subjectId: string }>({
    attributes: ['subjectId'],
    where: { parentId: [...listingIds] },
    order: ['subjectId'],
    raw: true,
    transaction,
  });
  return children.map(({ subjectId }) => subjectId);
}

/** A listed repository, with its name and the host's id, by which it is requested from its host. */
export interface OwnedRepository {
  id: string;
  host: string;
  repository: string;
  hostRepositoryId: string | null;
}

/** A listed repository that a host account may own, with the creator of its listing. */
export interface OwnedListing extends OwnedRepository {
  hostOwnerId: string | null;
  creatorId: string;
  /** Directory account of the creator; null for an unclaimed creator. */
  creatorAccountId: string | null;
  registeredBy: string | null;
  verified: boolean;
  /** True if the owner in the stored repository name is one of the host account's handles. */
  isNamed: boolean;
}

// SQL that is true if the owner in the repository's name is one of the host account's handles. A repository of the
// account may be stored under another name, so `IS_OWNED` also compares the owner's id.
const IS_NAMED = "lower(split_part(l.repository, '/', 1)) = ANY ($3::text[])";
const IS_OWNED = `l.host = $1 AND (l.host_owner_id = $2 OR ${IS_NAMED})`;

const lowered = (handles: readonly string[]) => handles.map((handle) => handle.toLowerCase());

/**
 * Returns at most `most` listed repositories whose owner id is that of the host account, or whose name begins with one
 * of its handles. Those with an unknown owner come first.
 */
export function findOwnedRepositories(
  connection: Connection,
  { host, handles, hostAccountId }: OwnerHandles,
  most: number,
): Promise<OwnedRepository[]> {
  // Raw SQL: compares a part of the name, and orders unknown owners first.
  return connection.query<OwnedRepository>(
    `SELECT l.subject_id AS id, l.host, l.repository, l.host_repository_id AS "hostRepositoryId" FROM listing l
     WHERE ${IS_OWNED} ORDER BY l.host_owner_id IS NOT NULL, l.identity_doubt IS NOT NULL, l.subject_id LIMIT ${most}`,
    [host, hostAccountId, lowered(handles)],
  );
}

/** Returns listings by the same condition as `findOwnedRepositories`, without a limit, each with its creator. */
export function findOwnedListings(
  connection: Connection,
  { host, handles, hostAccountId }: OwnerHandles,
): Promise<OwnedListing[]> {
  // Raw SQL: compares a part of the name, and joins the creators.
  return connection.query<OwnedListing>(
    `SELECT l.subject_id AS id, l.host, l.repository, l.host_repository_id AS "hostRepositoryId",
       l.host_owner_id AS "hostOwnerId", l.creator_id AS "creatorId", c.account_id AS "creatorAccountId",
       l.registered_by AS "registeredBy", l.verified, ${IS_NAMED} AS "isNamed"
     FROM listing l JOIN creator c ON c.subject_id = l.creator_id WHERE ${IS_OWNED} ORDER BY l.subject_id`,
    [host, hostAccountId, lowered(handles)],
  );
}
