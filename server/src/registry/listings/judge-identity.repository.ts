import type { Connection } from '../../database/connect.ts';
import type { IdentityDoubt, StoredIdentity } from './judge-identity.ts';

// SQL: facts of one listing from relations, aliases, creators and proofs. An array: one kept statement for any number.
const IDENTITIES = `
SELECT l.subject_id AS id, l.host, l.repository, l.host_repository_id AS "hostRepositoryId",
  l.host_owner_id AS "hostOwnerId", l.identity_doubt AS "identityDoubt",
  utc_text(l.repository_created_at) AS "repositoryCreatedAt", l.license, utc_text(l.listed_at) AS "listedAt",
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

/** What is stored of these listings that tells their repositories from others. */
export function loadIdentities(connection: Connection, ids: readonly string[]): Promise<StoredIdentity[]> {
  return connection.query<StoredIdentity>(IDENTITIES, [ids]);
}

/** What a reading tells of whose a listing's repository is. */
export interface ReadIdentity {
  id: string;
  hostRepositoryId: string;
  hostOwnerId: string | null;
  doubt: IdentityDoubt | null;
}

/**
 * Stores whose a repository is by a reading of it; in doubt nobody's. An id that another listing has already is left out.
 * The caller has locked the subject.
 */
export async function saveIdentity(connection: Connection, read: ReadIdentity): Promise<void> {
  const { id, hostRepositoryId, hostOwnerId, doubt } = read;
  await connection.query(
    `UPDATE listing l SET host_repository_id = coalesce(l.host_repository_id, (SELECT $2::text WHERE NOT EXISTS (
         SELECT FROM listing o WHERE o.host = l.host AND o.host_repository_id = $2))),
       host_owner_id = $3, identity_doubt = $4 WHERE l.subject_id = $1`,
    [id, hostRepositoryId, doubt === null ? hostOwnerId : null, doubt],
  );
}

/** Notes that no repository answered for a listing whose owner was never read: a proof by name counts for it no longer. */
export async function noteGone({ models, transaction }: Connection, id: string): Promise<void> {
  const unread = { subjectId: id, hostOwnerId: null, identityDoubt: null };
  await models.Listing.update({ identityDoubt: 'gone' }, { where: unread, transaction });
}

/** Stores what the operator decided of a listing's repository. An id that another listing has already is left out. */
export async function acceptIdentity(
  connection: Connection,
  { id, hostRepositoryId, hostOwnerId }: { id: string; hostRepositoryId: string | null; hostOwnerId: string },
): Promise<void> {
  // SQL: the id is compared with those of other listings.
  await connection.query(
    `UPDATE listing l SET host_owner_id = $3, identity_doubt = NULL,
       host_repository_id = CASE WHEN EXISTS (SELECT FROM listing o WHERE o.host = l.host AND o.host_repository_id = $2
         AND o.subject_id <> l.subject_id) THEN l.host_repository_id ELSE coalesce($2, l.host_repository_id) END
     WHERE l.subject_id = $1`,
    [id, hostRepositoryId, hostOwnerId],
  );
}
