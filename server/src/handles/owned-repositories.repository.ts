import type { Connection } from '../database/connect.ts';
import type { OwnerQuestion } from './read-owned-repositories.ts';

/** A listed repository, as its host is asked for it. */
export interface OwnedRepository {
  id: string;
  host: string;
  repository: string;
  hostRepositoryId: string | null;
}

/** A listed repository that an account may own, and who has its listing. */
export interface OwnedListing extends OwnedRepository {
  hostOwnerId: string | null;
  creatorId: string;
  /** The account that the creator is; null for a creator that nobody has proved to be. */
  creatorAccountId: string | null;
  registeredBy: string | null;
  verified: boolean;
  /** The first part of its stored name is one of the account's handles. */
  isNamed: boolean;
}

// The owner stands in the repository's name; a listing of this account may be stored under another one.
const IS_NAMED = "lower(split_part(l.repository, '/', 1)) = ANY ($3::text[])";
const IS_OWNED = `l.host = $1 AND (l.host_owner_id = $2 OR ${IS_NAMED})`;

const lowered = (handles: readonly string[]) => handles.map((handle) => handle.toLowerCase());

/** Listed repositories that an account owns by its id, or that bear one of its handles; those of unknown owners first. */
export function findOwnedRepositories(
  connection: Connection,
  { host, handles, hostAccountId }: OwnerQuestion,
  most: number,
): Promise<OwnedRepository[]> {
  // SQL: compares a part of the name, and orders by what is unknown.
  return connection.query<OwnedRepository>(
    `SELECT l.subject_id AS id, l.host, l.repository, l.host_repository_id AS "hostRepositoryId" FROM listing l
     WHERE ${IS_OWNED} ORDER BY l.host_owner_id IS NOT NULL, l.identity_doubt IS NOT NULL, l.subject_id LIMIT ${most}`,
    [host, hostAccountId, lowered(handles)],
  );
}

/** The same listings, all of them, with who has them. */
export function findOwnedListings(
  connection: Connection,
  { host, handles, hostAccountId }: OwnerQuestion,
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
