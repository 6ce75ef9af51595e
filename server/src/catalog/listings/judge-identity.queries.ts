import type { Connection } from '../../platform/database/connect.ts';
import type { IdentityDoubt, StoredIdentity } from './judge-identity.ts';
import { updateListingCopies } from './write-listings.ts';

// Raw SQL: joins facts from relations, aliases, creators and proofs. While a repository is gone, its licence is
// unknown, but the licence that a source stated still distinguishes it. Ids are one array parameter, so
// that one prepared statement serves any number.
const IDENTITIES = `
SELECT l.subject_id AS id, l.host, l.repository, l.host_repository_id AS "hostRepositoryId",
  l.host_owner_id AS "hostOwnerId", l.identity_doubt AS "identityDoubt",
  utc_text(l.repository_created_at) AS "repositoryCreatedAt",
  coalesce(l.license, l.imported ->> 'license') AS license, utc_text(l.listed_at) AS "listedAt",
  ARRAY(SELECT lower(r.to_repository) FROM relation r
      WHERE r.from_listing_id = l.subject_id AND r.type = 'fork_of' AND r.stated
    UNION SELECT lower(p.repository) FROM relation r JOIN listing p ON p.subject_id = r.to_listing_id
      WHERE r.from_listing_id = l.subject_id AND r.type = 'fork_of' AND r.stated
    UNION SELECT substr(a.label, length(p.host) + 2) FROM relation r JOIN listing p ON p.subject_id = r.to_listing_id
      JOIN subject_alias a ON a.subject_id = p.subject_id AND a.kind = 'former'
        AND starts_with(a.label, lower(p.host) || '/')
      WHERE r.from_listing_id = l.subject_id AND r.type = 'fork_of' AND r.stated) AS "forkParents",
  ARRAY(SELECT c.host_account_id FROM creator c
      WHERE c.host = l.host AND c.host_account_id IS NOT NULL
        AND lower(c.handle) = lower(split_part(l.repository, '/', 1))
    UNION SELECT c.host_account_id FROM creator c
      WHERE c.subject_id = l.creator_id AND c.host = l.host AND c.host_account_id IS NOT NULL AND c.account_id IS NULL
    UNION SELECT k.host_account_id FROM linked_account k
      WHERE k.kind = 'repo_host' AND k.host = lower(l.host) AND k.proved_at IS NOT NULL
        AND k.host_account_id IS NOT NULL AND k.proved_by <> 'operator'
        AND lower(k.handle) = lower(split_part(l.repository, '/', 1))) AS "knownOwnerIds"
FROM listing l WHERE l.subject_id = ANY ($1::uuid[]) ORDER BY l.subject_id`;

/** Loads the stored facts that identify these listings' repositories. */
export function loadIdentities(connection: Connection, ids: readonly string[]): Promise<StoredIdentity[]> {
  return connection.query<StoredIdentity>(IDENTITIES, [ids]);
}

/** Identity of a listing's repository as it was read from its host. */
export interface ReadIdentity {
  id: string;
  hostRepositoryId: string;
  hostOwnerId: string | null;
  doubt: IdentityDoubt | null;
}

/**
 * Stores the id and the owner of a listing's repository as read from the host. If there is a doubt, or the host shows
 * no owner, clears the stored owner and the verified flag. Stores the repository id only if the listing has none, and
 * no other listing has this id. The caller has locked the subject.
 */
export async function saveIdentity(connection: Connection, read: ReadIdentity): Promise<void> {
  const { id, hostRepositoryId, hostOwnerId, doubt } = read;
  await connection.query(
    `UPDATE listing l SET host_repository_id = coalesce(l.host_repository_id, (SELECT $2::text WHERE NOT EXISTS (
         SELECT FROM listing o WHERE o.host = l.host AND o.host_repository_id = $2))),
       host_owner_id = $3::text, verified = l.verified AND $3::text IS NOT NULL, identity_doubt = $4 WHERE l.subject_id = $1`,
    [id, hostRepositoryId, doubt === null ? hostOwnerId : null, doubt],
  );
  await updateListingCopies(connection, [id]);
}

/**
 * Marks a listing as `gone` if no owner and no other doubt are stored. Proofs by name no longer count for this listing.
 */
export async function markGone({ models, transaction }: Connection, id: string): Promise<void> {
  const unread = { subjectId: id, hostOwnerId: null, identityDoubt: null };
  await models.Listing.update({ identityDoubt: 'gone' }, { where: unread, transaction });
}

/**
 * Stores the operator's decision that the repository on the host is the listed one: stores its owner and clears the
 * doubt. Stores its id unless another listing already has this id.
 */
export async function acceptIdentity(
  connection: Connection,
  { id, hostRepositoryId, hostOwnerId }: { id: string; hostRepositoryId: string | null; hostOwnerId: string },
): Promise<void> {
  // Raw SQL: compares the id with those of other listings.
  await connection.query(
    `UPDATE listing l SET host_owner_id = $3, identity_doubt = NULL,
       host_repository_id = CASE WHEN EXISTS (SELECT FROM listing o WHERE o.host = l.host AND o.host_repository_id = $2
         AND o.subject_id <> l.subject_id) THEN l.host_repository_id ELSE coalesce($2, l.host_repository_id) END
     WHERE l.subject_id = $1`,
    [id, hostRepositoryId, hostOwnerId],
  );
}
