import type { Connection } from '../../database/connect.ts';
import type { ListingRow } from './listing-row.ts';
import { listingWords } from './search-words.ts';

/** A listing to be stored, with the ids that it got and its creator. */
export interface WritableListing {
  id: string;
  row: ListingRow;
  creatorId: string;
}

/** A listing that is not stored yet. */
export interface AddableListing extends WritableListing {
  agentId: string;
  registryRowId: string;
  registeredBy: string | null;
  /** What else it is found by: the creator's handle and display name. */
  creatorNames: readonly (string | null)[];
}

const RECORD = `jsonb_to_recordset($1::jsonb) AS r(subject_id uuid, registry_row_id uuid, agent_id text, type text,
  kind text, name text, description text, category text, tags text[], creator_id uuid, host text, repository text,
  repository_url text, host_repository_id text, homepage text, license text, stars bigint, forks bigint,
  open_issues bigint, last_commit_at timestamptz, repository_created_at timestamptz, metrics_observed_at timestamptz,
  npm_package text, npm_monthly_downloads bigint, pypi_package text, source text, registered_by uuid, imported jsonb,
  words text[])`;

const INSERT = `
WITH r AS MATERIALIZED (SELECT * FROM ${RECORD}),
added AS (INSERT INTO listing (subject_id, registry_row_id, agent_id, type, kind, name, description, category, tags, creator_id,
  host, repository, repository_url, host_repository_id, homepage, license, stars, forks, open_issues, last_commit_at,
  repository_created_at, metrics_observed_at, npm_package, npm_monthly_downloads, pypi_package, source, registered_by,
  imported)
SELECT subject_id, registry_row_id, agent_id, type, kind, name, description, category, tags, creator_id, host,
  repository, repository_url, host_repository_id, homepage, license, stars, forks, open_issues, last_commit_at,
  repository_created_at, metrics_observed_at, npm_package, npm_monthly_downloads, pypi_package, source, registered_by,
  imported
FROM r ORDER BY subject_id
ON CONFLICT (lower(host), lower(repository)) DO NOTHING RETURNING agent_id, type, verified, tier, category)
INSERT INTO listing_words (agent_id, type, verified, tier, category, words)
SELECT a.agent_id, a.type, a.verified, a.tier, a.category, array_to_tsvector(r.words)
FROM added a JOIN r ON r.agent_id = a.agent_id RETURNING agent_id`;

// What the host itself was asked for later than the source read it (f) is the newer reading, and stays whole.
const newer = (column: string) =>
  `${column} = CASE WHEN f.listing_id IS NULL THEN r.${column} ELSE l.${column} END`;

// What its creator wrote at registration stays; an import adds what a registration can't say.
const UPDATE = `
UPDATE listing l SET
  kind = CASE WHEN l.registered_by IS NULL THEN r.kind ELSE l.kind END,
  name = CASE WHEN l.registered_by IS NULL THEN r.name ELSE l.name END,
  description = CASE WHEN l.registered_by IS NULL AND (f.listing_id IS NULL OR r.description <> '') THEN r.description
    ELSE l.description END,
  category = CASE WHEN l.registered_by IS NULL THEN r.category ELSE l.category END,
  tags = CASE WHEN l.registered_by IS NULL AND (f.listing_id IS NULL OR r.tags <> '{}') THEN r.tags ELSE l.tags END,
  source = CASE WHEN l.registered_by IS NULL THEN r.source ELSE l.source END,
  creator_id = r.creator_id, repository = r.repository, repository_url = r.repository_url,
  host_repository_id = coalesce(r.host_repository_id, l.host_repository_id), ${newer('homepage')}, ${newer('license')},
  ${newer('stars')}, ${newer('forks')}, ${newer('open_issues')}, ${newer('last_commit_at')},
  ${newer('repository_created_at')}, ${newer('metrics_observed_at')},
  npm_package = r.npm_package, npm_monthly_downloads = r.npm_monthly_downloads, pypi_package = r.pypi_package,
  imported = r.imported, updated_at = ledger_now()
FROM ${RECORD} LEFT JOIN repository_refresh f ON f.listing_id = r.subject_id
  AND f.confirmed_at > coalesce(r.metrics_observed_at, '-infinity')
  AND f.confirmed_at = (SELECT o.metrics_observed_at FROM listing o WHERE o.subject_id = r.subject_id)
WHERE l.subject_id = r.subject_id`;

// What an import states of a registered listing is what it says again without its registration. Words of somebody who
// had registered it before its owner stay: an import does not change those either.
const KEEP_WORDS = `
INSERT INTO listing_registry_words AS w (listing_id, kind, name, description, category, tags, source, claims_since)
SELECT r.subject_id, r.kind, r.name, r.description, r.category, r.tags, r.source, '-infinity'
FROM ${RECORD} JOIN listing l ON l.subject_id = r.subject_id WHERE l.registered_by IS NOT NULL
ON CONFLICT (listing_id) DO UPDATE SET kind = excluded.kind, name = excluded.name, description = excluded.description,
  category = excluded.category, tags = excluded.tags, source = excluded.source WHERE w.registered_by IS NULL`;

const RENAME_SUBJECTS = `
UPDATE subject s SET name = l.name FROM listing l
WHERE l.subject_id = s.id AND s.id = ANY ($1::uuid[]) AND s.name <> l.name`;

/** Inserts subjects and listings; answers how many. Fewer: a repository was listed already, and all must be undone. */
export async function insertListings(
  connection: Connection,
  listings: readonly AddableListing[],
): Promise<number> {
  if (listings.length === 0) return 0;
  await connection.query(
    `INSERT INTO subject (id, type, name) SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[])`,
    [listings.map(({ id }) => id), listings.map(({ row }) => row.type), listings.map(({ row }) => row.name)],
  );
  const records = listings.map((listing) => ({
    ...columns(listing),
    agent_id: listing.agentId,
    registry_row_id: listing.registryRowId,
    registered_by: listing.registeredBy,
    words: listingWords([listing.row.name, listing.row.description, ...listing.creatorNames]),
  }));
  const stored = await connection.query(INSERT, [JSON.stringify(records)]);
  return stored.length;
}

/** Brings stored listings up to date with their rows. The caller has locked their subjects. */
export async function updateListings(
  connection: Connection,
  listings: readonly WritableListing[],
): Promise<void> {
  if (listings.length === 0) return;
  const records = JSON.stringify(listings.map(columns));
  await connection.query(UPDATE, [records]);
  await connection.query(KEEP_WORDS, [records]);
  await connection.query(RENAME_SUBJECTS, [listings.map(({ id }) => id)]);
}

/**
 * Takes its name from a listing whose repository the name no longer leads to. Its new name is unknown: until a source
 * tells it, it is listed as `owner/name~<repository id>`, which no host allows as a name.
 */
export async function displaceListings(connection: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await connection.query(
    `UPDATE listing SET repository = repository || '~' || host_repository_id, updated_at = ledger_now()
     WHERE subject_id = ANY ($1::uuid[])`,
    [ids],
  );
}

/** Locks existing subjects in the order of their ids, as every batch does, so that two never wait in a circle. */
export async function lockSubjects(connection: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await connection.query('SELECT FROM subject WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE', [
    ids,
  ]);
}

interface Searchable {
  /** `AGT-…` */
  id: string;
  texts: (string | null)[];
}

/** Makes listings findable by their present names and those of their creators. */
export async function refreshSearch(connection: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const listings = await connection.query<Searchable>(
    `SELECT l.agent_id AS id, ARRAY[l.name, l.description, c.handle, c.display_name] AS texts
     FROM listing l JOIN creator c ON c.subject_id = l.creator_id WHERE l.subject_id = ANY ($1::uuid[])`,
    [ids],
  );
  const records = listings.map(({ id, texts }) => ({ id, words: listingWords(texts) }));
  await connection.query(
    `UPDATE listing_words w SET words = array_to_tsvector(r.words)
     FROM jsonb_to_recordset($1::jsonb) AS r(id text, words text[])
     WHERE w.agent_id = r.id AND w.words <> array_to_tsvector(r.words)`,
    [JSON.stringify(records)],
  );
}

function columns({ row, id, creatorId }: WritableListing) {
  return {
    subject_id: id,
    creator_id: creatorId,
    type: row.type,
    kind: row.kind,
    name: row.name,
    description: row.description,
    category: row.category,
    tags: row.tags,
    host: row.host,
    repository: row.repository,
    repository_url: row.repositoryUrl,
    host_repository_id: row.hostRepositoryId,
    homepage: row.homepage,
    license: row.license,
    stars: row.stars,
    forks: row.forks,
    open_issues: row.openIssues,
    last_commit_at: utc(row.lastCommitAt),
    repository_created_at: utc(row.repositoryCreatedAt),
    metrics_observed_at: utc(row.metricsObservedAt),
    npm_package: row.npmPackage,
    npm_monthly_downloads: row.npmMonthlyDownloads,
    pypi_package: row.pypiPackage,
    source: row.source,
    imported: row.imported,
  };
}

/** A day alone is its beginning in UTC, whatever the database's time zone. */
export function utc(moment: string | null): string | null {
  return moment !== null && moment.length === 10 ? `${moment}T00:00:00Z` : moment;
}
