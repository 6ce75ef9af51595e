import type { Connection } from '../../platform/database/connect.ts';
import type { OwnerHandles } from './read-owned-repositories.ts';

/** A listed repository, with what is needed to request it from its host. */
export interface OwnedRepository {
  id: string;
  host: string;
  repository: string;
  hostRepositoryId: string | null;
}

/** A listed repository that an account may own, with the creator of its listing. */
export interface OwnedListing extends OwnedRepository {
  hostOwnerId: string | null;
  creatorId: string;
  /** Directory account of the creator; null for an unclaimed creator. */
  creatorAccountId: string | null;
  registeredBy: string | null;
  verified: boolean;
  /** True if the first part of its stored name is one of the account's handles. */
  isNamed: boolean;
}

// The repository's name contains the owner's handle, but a listing of this account may be stored under another name.
const IS_NAMED = "lower(split_part(l.repository, '/', 1)) = ANY ($3::text[])";
const IS_OWNED = `l.host = $1 AND (l.host_owner_id = $2 OR ${IS_NAMED})`;

const lowered = (handles: readonly string[]) => handles.map((handle) => handle.toLowerCase());

/**
 * Returns listed repositories that an account owns by its id, or whose owner part is one of its handles. Those with an
 * unknown owner come first.
 */
export function findOwnedRepositories(
  connection: Connection,
  { host, handles, hostAccountId }: OwnerHandles,
  most: number,
): Promise<OwnedRepository[]> {
  // SQL: compares a part of the name, and orders unknown owners first.
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
  // SQL: compares a part of the name, and joins the creators.
  return connection.query<OwnedListing>(
    `SELECT l.subject_id AS id, l.host, l.repository, l.host_repository_id AS "hostRepositoryId",
       l.host_owner_id AS "hostOwnerId", l.creator_id AS "creatorId", c.account_id AS "creatorAccountId",
       l.registered_by AS "registeredBy", l.verified, ${IS_NAMED} AS "isNamed"
     FROM listing l JOIN creator c ON c.subject_id = l.creator_id WHERE ${IS_OWNED} ORDER BY l.subject_id`,
    [host, hostAccountId, lowered(handles)],
  );
}
