import { batchSource } from '../../database/batch-source.ts';
import type { Connection } from '../../database/connect.ts';
import { type CopiedRow, copyRows, isWorthCopying } from '../../database/copy-rows.ts';
import { addSubjects } from '../add-subjects.repository.ts';
import { type ListingRow, utc } from './listing-row.ts';
import { listingWords } from './listing-words.ts';
import { saveSpellings } from './write-listings.ts';

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

// A listing's row, by the columns that it fills.
const COLUMNS = `subject_id uuid, registry_row_id uuid, agent_id text, type text,
  kind text, name text, description text, category text, tags text[], creator_id uuid, host text, repository text,
  repository_url text, host_repository_id text, homepage text, license text, stars bigint, forks bigint,
  open_issues bigint, last_commit_at timestamptz, repository_created_at timestamptz, metrics_observed_at timestamptz,
  npm_package text, npm_monthly_downloads bigint, pypi_package text, source text, registered_by uuid, imported jsonb`;

// What a listing `a` is found by: its words `r`, and the marks of what lists are filtered by.
const WORDS = `INSERT INTO listing_words (subject_id, agent_id, type, verified, category, kind, license, sort_name, words,
  popularity)
SELECT a.subject_id, a.agent_id, a.type, a.verified, a.category, a.kind, coalesce(a.license, ''), lower(a.name),
  array_to_tsvector(r.words || listing_marks(a.kind, a.license, a.tags)), popularity_of(a.stars)`;

// Listings and their search words: both or neither.
const INSERT = `
WITH r AS MATERIALIZED (SELECT * FROM jsonb_to_recordset($1::jsonb) AS r(${COLUMNS}, words text[])),
added AS (INSERT INTO listing (subject_id, registry_row_id, agent_id, type, kind, name, description, category, tags, creator_id,
  host, repository, repository_url, host_repository_id, homepage, license, stars, forks, open_issues, last_commit_at,
  repository_created_at, metrics_observed_at, npm_package, npm_monthly_downloads, pypi_package, source, registered_by,
  imported)
SELECT subject_id, registry_row_id, agent_id, type, kind, name, description, category, tags, creator_id, host,
  repository, repository_url, host_repository_id, homepage, license, stars, forks, open_issues, last_commit_at,
  repository_created_at, metrics_observed_at, npm_package, npm_monthly_downloads, pypi_package, source, registered_by,
  imported
FROM r ORDER BY subject_id
ON CONFLICT (lower(host), lower(repository)) DO NOTHING RETURNING *)
${WORDS}
FROM added a JOIN r ON r.subject_id = a.subject_id RETURNING agent_id`;

// The same words of listings that are there already.
const addWordsFrom = (rows: string) => `
${WORDS}
FROM ${rows} r JOIN listing a ON a.subject_id = r.subject_id`;

// What the host itself was asked for later than the source read it (f) is the newer reading, and stays whole.
const newer = (column: string) =>
  `${column} = CASE WHEN f.listing_id IS NULL THEN r.${column} ELSE l.${column} END`;

// What its creator wrote at registration stays; an import adds what a registration can't say.
const updateFrom = (rows: string) => `
UPDATE listing l SET
  kind = CASE WHEN l.registered_by IS NULL THEN r.kind ELSE l.kind END,
  name = CASE WHEN l.registered_by IS NULL THEN r.name ELSE l.name END,
  description = CASE WHEN l.registered_by IS NULL AND (f.listing_id IS NULL OR r.description <> '') THEN r.description
    ELSE l.description END,
  category = CASE WHEN l.registered_by IS NULL THEN r.category ELSE l.category END,
  tags = CASE WHEN l.registered_by IS NULL AND (f.listing_id IS NULL OR r.tags <> '{}') THEN r.tags ELSE l.tags END,
  source = CASE WHEN l.registered_by IS NULL THEN r.source ELSE l.source END,
  creator_id = r.creator_id, repository = r.repository, repository_url = r.repository_url,
  host_owner_id = CASE WHEN lower(split_part(r.repository, '/', 1)) = lower(split_part(l.repository, '/', 1))
    THEN l.host_owner_id END,
  host_repository_id = coalesce(r.host_repository_id, l.host_repository_id), ${newer('homepage')}, ${newer('license')},
  ${newer('stars')}, ${newer('forks')}, ${newer('open_issues')}, ${newer('last_commit_at')},
  ${newer('repository_created_at')}, ${newer('metrics_observed_at')},
  npm_package = r.npm_package, npm_monthly_downloads = r.npm_monthly_downloads, pypi_package = r.pypi_package,
  imported = r.imported, updated_at = ledger_now()
FROM ${rows} r LEFT JOIN repository_refresh f ON f.listing_id = r.subject_id
  AND f.confirmed_at > coalesce(r.metrics_observed_at, '-infinity')
  AND f.confirmed_at = (SELECT o.metrics_observed_at FROM listing o WHERE o.subject_id = r.subject_id)
WHERE l.subject_id = r.subject_id`;

// What an import states of a registered listing is what it says again without its registration. Words of somebody who
// had registered it before its owner stay: an import does not change those either.
const keepWordsFrom = (rows: string) => `
INSERT INTO listing_registry_words AS w (listing_id, kind, name, description, category, tags, source, claims_since)
SELECT r.subject_id, r.kind, r.name, r.description, r.category, r.tags, r.source, '-infinity'
FROM ${rows} r JOIN listing l ON l.subject_id = r.subject_id WHERE l.registered_by IS NOT NULL
ON CONFLICT (listing_id) DO UPDATE SET kind = excluded.kind, name = excluded.name, description = excluded.description,
  category = excluded.category, tags = excluded.tags, source = excluded.source WHERE w.registered_by IS NULL`;

// A subject is called as its listing is.
const RENAME_SUBJECTS = `
UPDATE subject s SET name = l.name FROM listing l
WHERE l.subject_id = s.id AND s.id = ANY ($1::uuid[]) AND s.name <> l.name`;

/** Inserts subjects and listings; answers how many. Fewer: a repository was listed already, and all must be undone. */
export async function insertListings(
  connection: Connection,
  listings: readonly AddableListing[],
): Promise<number> {
  if (listings.length === 0) return 0;
  await addSubjects(
    connection,
    listings.map(({ id, row: { type, name } }) => ({ id, type, name })),
  );
  const records = listings.map((listing) =>
    Object.assign(columns(listing), {
      agent_id: listing.agentId,
      registry_row_id: listing.registryRowId,
      registered_by: listing.registeredBy,
      words: listingWords(Object.assign({ creatorNames: listing.creatorNames }, listing.row)),
    }),
  );
  await saveSpellings(connection, records);
  if (isWorthCopying(connection, records)) return copyListings(connection, records);
  const stored = await connection.query(INSERT, [JSON.stringify(records)]);
  return stored.length;
}

/** A repository that is listed already fails all of them, so that they are tried again. */
async function copyListings(connection: Connection, records: readonly CopiedRow[]): Promise<number> {
  await copyRows(connection, 'listing', COLUMNS, records);
  const { from, bind } = await batchSource(connection, 'subject_id uuid, words text[]', records);
  await connection.query(addWordsFrom(from), bind);
  return records.length;
}

/** Brings stored listings up to date with their rows. The caller has locked their subjects. */
export async function updateListings(
  connection: Connection,
  listings: readonly WritableListing[],
): Promise<void> {
  if (listings.length === 0) return;
  const { from, bind } = await batchSource(connection, COLUMNS, listings.map(columns));
  await connection.query(updateFrom(from), bind);
  await connection.query(keepWordsFrom(from), bind);
  await connection.query(RENAME_SUBJECTS, [listings.map(({ id }) => id)]);
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

// An array: one kept statement.
const CHILDREN_OF = 'SELECT subject_id AS id FROM listing WHERE parent_id = ANY ($1::uuid[]) ORDER BY 1';

export async function childrenOf(connection: Connection, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await connection.query<{ id: string }>(CHILDREN_OF, [ids]);
  return rows.map(({ id }) => id);
}
