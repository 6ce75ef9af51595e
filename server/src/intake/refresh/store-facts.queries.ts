import type { IdentityDoubt } from '../../catalog/listings/judge-identity.ts';
import { updateListingCopies } from '../../catalog/listings/write-listings.ts';
import type { RepositoryReading } from '../../hosts/readers/repository-reading.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { NOW } from '../../platform/database/models/table.ts';

// All metrics come from one reading, so metrics that it lacks become unknown. A description and tags from people or
// sources remain; those of the host only fill empty fields of listings that no account has registered. A stored
// creation date or licence that the reading contradicts remains, because later readings are compared with it.
// `updated_at` advances only if one of these values changes.
const STORE = `
WITH read AS (
  SELECT r.*, coalesce(r.homepage, l.homepage) AS kept_homepage,
    CASE WHEN r.identity_doubt = 'creation_differs' THEN l.repository_created_at
      ELSE coalesce(r.created_at, l.repository_created_at) END AS kept_created_at,
    CASE WHEN r.identity_doubt = 'license_differs' THEN l.license ELSE r.license END AS kept_license,
    CASE WHEN l.description = '' AND l.registered_by IS NULL THEN coalesce(r.description, '') ELSE l.description
      END AS kept_description,
    CASE WHEN l.tags = '{}' AND l.registered_by IS NULL THEN r.topics ELSE l.tags END AS kept_tags
  FROM jsonb_to_record($2::jsonb) AS r(host_repository_id text, repository text, homepage text, license text,
    stars bigint, forks bigint, open_issues bigint, last_commit_at timestamptz, created_at timestamptz,
    archived boolean, description text, topics text[], host_owner_id text, identity_doubt text), listing l WHERE l.subject_id = $1)
UPDATE listing l SET host_repository_id = coalesce(read.host_repository_id, l.host_repository_id),
  host_owner_id = read.host_owner_id, identity_doubt = read.identity_doubt,
  verified = l.verified AND read.host_owner_id IS NOT NULL,
  repository = coalesce(read.repository, l.repository), homepage = kept_homepage, license = kept_license,
  stars = read.stars, forks = read.forks, open_issues = read.open_issues, last_commit_at = read.last_commit_at,
  repository_created_at = kept_created_at, archived = read.archived, description = kept_description, tags = kept_tags,
  metrics_observed_at = ledger_now(),
  updated_at = CASE WHEN (l.homepage, l.license, l.stars, l.forks, l.open_issues, l.last_commit_at,
      l.repository_created_at, l.archived, l.description, l.tags) IS DISTINCT FROM (kept_homepage, kept_license,
      read.stars, read.forks, read.open_issues, read.last_commit_at, kept_created_at, read.archived,
      kept_description, kept_tags) THEN ledger_now() ELSE l.updated_at END
FROM read WHERE l.subject_id = $1`;

/** Says which parts of a reading may be stored. */
export interface ReadingUse {
  /** True to also store the repository's id and the spelling of its name. */
  isItsOwn: boolean;
  /**
   * Reason to doubt that the repository is the listed one; null without doubt. In case of doubt, no owner id is stored.
   */
  doubt: IdentityDoubt | null;
}

/** Stores a host's record of a listing's repository. The caller has locked the subject. */
export async function storeFacts(
  connection: Connection,
  id: string,
  reading: RepositoryReading,
  { isItsOwn, doubt }: ReadingUse,
): Promise<void> {
  const record = {
    host_repository_id: isItsOwn ? reading.hostRepositoryId : null,
    repository: isItsOwn ? reading.repository : null,
    host_owner_id: doubt === null ? reading.hostOwnerId : null,
    identity_doubt: doubt,
    homepage: reading.homepage,
    license: reading.license,
    stars: reading.stars,
    forks: reading.forks,
    open_issues: reading.openIssues,
    last_commit_at: reading.lastCommitAt,
    created_at: reading.createdAt,
    archived: reading.archived,
    description: reading.description,
    topics: reading.topics,
  };
  await connection.query(STORE, [id, JSON.stringify(record)]);
  await updateListingCopies(connection, [id]);
}

/** Sets the time of the facts to now, because the host has answered that nothing has changed. */
export async function confirmFacts({ models, transaction }: Connection, id: string): Promise<void> {
  await models.Listing.update({ metricsObservedAt: NOW }, { where: { subjectId: id }, transaction });
}

/** Clears the facts of a repository that was deleted or made private. The listing itself remains. */
export async function clearFacts(connection: Connection, id: string): Promise<void> {
  await connection.query(
    `UPDATE listing SET license = NULL, stars = NULL, forks = NULL, open_issues = NULL, last_commit_at = NULL,
       archived = NULL, metrics_observed_at = NULL, updated_at = ledger_now()
     WHERE subject_id = $1 AND num_nonnulls(license, stars, forks, open_issues, last_commit_at, archived,
       metrics_observed_at) > 0`,
    [id],
  );
  await updateListingCopies(connection, [id]);
}

/**
 * Stores the host's statement that a listing's repository is a fork. Returns false if the statement is already stored
 * or the parent is not listed.
 */
export async function storeFork(
  connection: Connection,
  listing: { id: string; host: string; repository: string },
  forkOf: string,
): Promise<boolean> {
  const statement = { type: 'fork_of', from: listing.repository, to: forkOf, directed: true, stated: true };
  const imported = { ...statement, evidence: null, source: listing.host };
  const added = await connection.query(
    `INSERT INTO relation (type, from_repository, to_repository, from_listing_id, to_listing_id, directed, stated,
       source, imported)
     SELECT 'fork_of', $2, $3, $1, p.subject_id, true, true, $4, $5::jsonb FROM listing p
     WHERE lower(p.host) = lower($4) AND lower(p.repository) = lower($3) AND p.subject_id <> $1
     ON CONFLICT DO NOTHING RETURNING id`,
    [listing.id, listing.repository, forkOf, listing.host, JSON.stringify(imported)],
  );
  return added.length > 0;
}
