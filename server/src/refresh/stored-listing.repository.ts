import type { Connection } from '../database/connect.ts';
import type { ListingRow } from '../registry/listings/listing-row.ts';
import type { StoredListing } from '../registry/listings/match-listings.ts';
import type { NamedListing } from './identify-repository.ts';

interface Row extends ListingRow {
  id: string;
  creatorId: string;
  creatorKey: string;
}

// Parents and newest names are left out: what sources state of them stands in the relations, and stays there.
const STORED = `
SELECT l.subject_id AS id, l.creator_id AS "creatorId", c.host || ':' || lower(c.handle) AS "creatorKey", l.host,
  l.repository, l.type, l.kind, l.name, l.description, l.category, l.tags, l.repository_url AS "repositoryUrl",
  l.host_repository_id AS "hostRepositoryId", l.homepage, l.license, l.stars, l.forks, l.open_issues AS "openIssues",
  utc_text(l.last_commit_at) AS "lastCommitAt", utc_text(l.repository_created_at) AS "repositoryCreatedAt",
  utc_text(l.metrics_observed_at) AS "metricsObservedAt", l.npm_package AS "npmPackage",
  l.npm_monthly_downloads AS "npmMonthlyDownloads", l.pypi_package AS "pypiPackage", l.source, l.imported
FROM listing l JOIN creator c ON c.subject_id = l.creator_id WHERE l.subject_id = $1`;

/** A listing as it is stored, in the two shapes that storing a row of an import works with. */
export async function loadStoredListing(
  connection: Connection,
  id: string,
): Promise<{ row: ListingRow; stored: StoredListing }> {
  const [found] = await connection.query<Row>(STORED, [id]);
  if (!found) throw new Error(`the claimed listing ${id} is gone`);
  const { id: _, creatorId, creatorKey, ...columns } = found;
  const unsaid = {
    formerRepositories: [],
    parentRepository: null,
    parentRelation: null,
    probablyRenamedTo: null,
  };
  const row = { ...columns, ...unsaid };
  const { type, host, repository, hostRepositoryId, npmPackage, pypiPackage, imported } = row;
  const stored = { id, creatorId, creatorKey, type, host, repository, hostRepositoryId, imported };
  return { row, stored: { ...stored, npmPackage, pypiPackage, unchanged: true } };
}

/** Other listings on the host that have this id or this name. */
export function loadOthers(
  connection: Connection,
  listing: NamedListing & { host: string },
  reading: { hostRepositoryId: string; repository: string },
): Promise<NamedListing[]> {
  return connection.query<NamedListing>(
    `SELECT subject_id AS id, repository, host_repository_id AS "hostRepositoryId" FROM listing
     WHERE host = $1 AND subject_id <> $2 AND (host_repository_id = $3 OR lower(repository) = lower($4))`,
    [listing.host, listing.id, reading.hostRepositoryId, reading.repository],
  );
}
