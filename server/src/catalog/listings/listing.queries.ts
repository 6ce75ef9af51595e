import { batchSource } from '../../platform/batching/batch-source.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { copyRows, isWorthCopying } from '../../platform/database/copy-rows.ts';
import type { Delisted } from '../subjects/resolve-subject.ts';
import { type ListingRow, utc } from './listing-row.ts';
import { type IndexedWords, listingWords } from './listing-words.ts';
import { saveVocabulary } from './refresh-vocabulary.ts';
import { addCopiesOf, addSubjects, insertCopies, updateListingCopies } from './write-listings.ts';

export interface AliasOwner {
  label: string;
  kind: 'identity' | 'former';
  id: string;
}

// Reads a batch of aliases in one statement.
const LOAD_ALIAS_OWNERS = `SELECT a.label, a.kind, a.subject_id AS id FROM subject_alias a JOIN listing l ON l.subject_id = a.subject_id
  WHERE a.label = ANY ($1::text[]) AND a.subject_type IN ('agent', 'skill') AND a.kind IN ('identity', 'former')`;

export async function loadAliasOwners(
  connection: Connection,
  labels: readonly string[],
): Promise<Map<string, AliasOwner[]>> {
  const rows = await connection.query<AliasOwner>(LOAD_ALIAS_OWNERS, [labels]);
  const owners = new Map<string, AliasOwner[]>();
  for (const row of rows) owners.set(row.label, [...(owners.get(row.label) ?? []), row]);
  return owners;
}

/** A listing to write, with its id and creator. */
export interface WritableListing {
  id: string;
  row: ListingRow;
  creatorId: string;
}

/** A listing to insert. */
export interface AddableListing extends WritableListing {
  agentId: string;
  registryRowId: string;
  registeredBy: string | null;
  /** The creator's handle and display name, as additional search texts. */
  creatorNames: readonly (string | null)[];
}

// Columns of a listing row in a batch.
const COLUMNS = `subject_id uuid, registry_row_id uuid, agent_id text, type text,
  kind text, name text, description text, category text, tags text[], creator_id uuid, host text, repository text,
  repository_url text, host_repository_id text, homepage text, license text, stars bigint, forks bigint,
  open_issues bigint, last_commit_at timestamptz, repository_created_at timestamptz, metrics_observed_at timestamptz,
  npm_package text, npm_monthly_downloads bigint, pypi_package text, source text, registered_by uuid, imported jsonb`;

// Inserts listings and their copies in one statement.
const INSERT = `
WITH r AS MATERIALIZED (SELECT * FROM jsonb_to_recordset($1::jsonb) AS r(${COLUMNS}, words text[], weak text)),
added AS (INSERT INTO listing (subject_id, registry_row_id, agent_id, type, kind, name, description, category, tags, creator_id,
  host, repository, repository_url, host_repository_id, homepage, license, stars, forks, open_issues, last_commit_at,
  repository_created_at, metrics_observed_at, npm_package, npm_monthly_downloads, pypi_package, source, registered_by,
  imported)
SELECT subject_id, registry_row_id, agent_id, type, kind, name, description, category, tags, creator_id, host,
  repository, repository_url, host_repository_id, homepage, license, stars, forks, open_issues, last_commit_at,
  repository_created_at, metrics_observed_at, npm_package, npm_monthly_downloads, pypi_package, source, registered_by,
  imported
FROM r ORDER BY subject_id
ON CONFLICT (lower(host), lower(repository)) DO NOTHING RETURNING *),
${insertCopies('(SELECT added.*, r.words, r.weak FROM added JOIN r ON r.subject_id = added.subject_id)')} RETURNING agent_id`;

// Builds SQL that sets a column to the value of the imported row `r`. Keeps the value of the stored listing `l` if the
// repository was read from its host later than the row's figures; `f` is that reading.
const newer = (column: string) =>
  `${column} = CASE WHEN f.listing_id IS NULL THEN r.${column} ELSE l.${column} END`;

// Does the same as `newer`, but also keeps the stored figure if the figures in the row are older than the stored ones.
// All figures of a row come from one reading.
const latest = (column: string) => `${column} = CASE WHEN f.listing_id IS NULL
    AND (l.metrics_observed_at > r.metrics_observed_at) IS NOT TRUE THEN r.${column} ELSE l.${column} END`;

// True if the row describes another repository than the listed one: the creation dates differ, and the creation date of
// a repository never changes. A source may state only the day, as its midnight, which equals any time on that day. If
// the listing has a stored repository id, dates are not compared.
const IS_OTHER_REPOSITORY = `(l.host_repository_id IS NULL
  AND date_trunc('second', l.repository_created_at) <> date_trunc('second', r.repository_created_at)
  AND least(l.repository_created_at, r.repository_created_at)
    <> date_trunc('day', greatest(l.repository_created_at, r.repository_created_at), 'UTC'))`;

// True if the row's repository has the same owner's handle as the stored one.
const HAS_SAME_OWNER = "lower(split_part(r.repository, '/', 1)) = lower(split_part(l.repository, '/', 1))";

// Keeps the texts that the owner wrote at registration; the import sets the other columns. The id and the creation date
// that a proof is compared with are never replaced by those of another repository. A new owner's handle clears the
// verified flag, and only a reading of the owner's id can set it again. If a listing gets another creator, the former
// one is stored in `listing_creator_history`.
const updateFrom = (rows: string) => `
WITH passed_on AS (INSERT INTO listing_creator_history (listing_id, creator_id)
  SELECT l.subject_id, l.creator_id FROM ${rows} r JOIN listing l ON l.subject_id = r.subject_id
  WHERE l.creator_id <> r.creator_id)
UPDATE listing l SET
  kind = CASE WHEN l.registered_by IS NULL THEN r.kind ELSE l.kind END,
  name = CASE WHEN l.registered_by IS NULL THEN r.name ELSE l.name END,
  description = CASE WHEN l.registered_by IS NULL AND (f.listing_id IS NULL OR r.description <> '') THEN r.description
    ELSE l.description END,
  category = CASE WHEN l.registered_by IS NULL THEN r.category ELSE l.category END,
  tags = CASE WHEN l.registered_by IS NULL AND (f.listing_id IS NULL OR r.tags <> '{}') THEN r.tags ELSE l.tags END,
  source = CASE WHEN l.registered_by IS NULL THEN r.source ELSE l.source END,
  creator_id = r.creator_id, repository = r.repository, repository_url = r.repository_url,
  host_owner_id = CASE WHEN ${HAS_SAME_OWNER} THEN l.host_owner_id END, verified = l.verified AND ${HAS_SAME_OWNER},
  host_repository_id = CASE WHEN ${IS_OTHER_REPOSITORY} THEN NULL
    ELSE coalesce(r.host_repository_id, l.host_repository_id) END, ${newer('homepage')}, ${newer('license')},
  ${latest('stars')}, ${latest('forks')}, ${latest('open_issues')}, ${latest('last_commit_at')},
  repository_created_at = CASE WHEN f.listing_id IS NULL AND (l.repository_created_at IS NULL
      OR l.host_repository_id = r.host_repository_id) THEN r.repository_created_at ELSE l.repository_created_at END,
  ${latest('metrics_observed_at')},
  npm_package = r.npm_package, npm_monthly_downloads = r.npm_monthly_downloads, pypi_package = r.pypi_package,
  imported = r.imported, updated_at = ledger_now()
FROM ${rows} r LEFT JOIN repository_refresh f ON f.listing_id = r.subject_id
  AND f.confirmed_at > coalesce(r.metrics_observed_at, '-infinity')
  AND f.confirmed_at = (SELECT o.metrics_observed_at FROM listing o WHERE o.subject_id = r.subject_id)
WHERE l.subject_id = r.subject_id`;

// Stores the imported texts of a registered listing, to restore them when the registration ends. Stored texts of
// another account, which registered the listing before its present owner, stay unchanged.
const storeImportedTextsFrom = (rows: string) => `
INSERT INTO listing_registry_words AS w (listing_id, kind, name, description, category, tags, source, claims_since)
SELECT r.subject_id, r.kind, r.name, r.description, r.category, r.tags, r.source, '-infinity'
FROM ${rows} r JOIN listing l ON l.subject_id = r.subject_id WHERE l.registered_by IS NOT NULL
ON CONFLICT (listing_id) DO UPDATE SET kind = excluded.kind, name = excluded.name, description = excluded.description,
  category = excluded.category, tags = excluded.tags, source = excluded.source WHERE w.registered_by IS NULL`;

// Sets the names of subjects to those of their listings.
const RENAME_SUBJECTS = `
UPDATE subject s SET name = l.name FROM listing l
WHERE l.subject_id = s.id AND s.id = ANY ($1::uuid[]) AND s.name <> l.name`;

/**
 * Inserts subjects and listings, and returns the number of inserted listings. If the number is lower than
 * requested, a repository was already listed, and the caller must roll back.
 */
export async function insertListings(
  connection: Connection,
  listings: readonly AddableListing[],
): Promise<number> {
  if (listings.length === 0) return 0;
  await addSubjects(
    connection,
    listings.map(({ id, row: { type, name } }) => ({ id, type, name })),
  );
  if (isWorthCopying(connection, listings)) return copyListings(connection, listings);
  const words = listings.map(wordsOf);
  await saveVocabulary(connection, words);
  const records = listings.map((listing, index) => Object.assign(addedColumns(listing), words[index]));
  const stored = await connection.query(INSERT, [JSON.stringify(records)]);
  return stored.length;
}

/** Inserts listings by COPY. If a repository is already listed, the whole batch fails, and the caller retries it. */
async function copyListings(connection: Connection, listings: readonly AddableListing[]): Promise<number> {
  await copyRows(connection, 'listing', COLUMNS, listings.map(addedColumns));
  await addCopiesOf(connection, listings, (listing) =>
    Object.assign({ subject_id: listing.id }, wordsOf(listing)),
  );
  return listings.length;
}

function addedColumns(listing: AddableListing) {
  const { agentId, registryRowId, registeredBy } = listing;
  return Object.assign(columns(listing), {
    agent_id: agentId,
    registry_row_id: registryRowId,
    registered_by: registeredBy,
  });
}

function wordsOf({ row, creatorNames }: AddableListing): IndexedWords {
  return listingWords(Object.assign({ creatorNames }, row));
}

/** Updates stored listings from their rows. The caller has locked their subjects. */
export async function updateListings(
  connection: Connection,
  listings: readonly WritableListing[],
): Promise<void> {
  if (listings.length === 0) return;
  const { from, bind } = await batchSource(connection, COLUMNS, listings.map(columns));
  await connection.query(updateFrom(from), bind);
  await connection.query(storeImportedTextsFrom(from), bind);
  const ids = listings.map(({ id }) => id);
  await updateListingCopies(connection, ids);
  await connection.query(RENAME_SUBJECTS, [ids]);
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

// Ids are one array parameter, so that one prepared statement serves any number.
const CHILDREN_OF = 'SELECT subject_id AS id FROM listing WHERE parent_id = ANY ($1::uuid[]) ORDER BY 1';

export async function childrenOf(connection: Connection, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await connection.query<{ id: string }>(CHILDREN_OF, [ids]);
  return rows.map(({ id }) => id);
}

/** A repository to be listed. */
interface NamedRepository {
  host: string;
  repository: string;
  /** The host's repository id, if known. */
  hostRepositoryId?: string | null;
  /** Former names on the same host. */
  formerRepositories?: readonly string[];
}

/**
 * Returns the active delistings that exclude these repositories, by position. If the host's ids of the delisted and the
 * given repository are known, the ids decide, because another repository may have taken the name. Otherwise the current
 * or a former name decides.
 */
export async function findDelistings(
  connection: Connection,
  repositories: readonly NamedRepository[],
): Promise<Map<number, Delisted>> {
  if (repositories.length === 0) return new Map();
  const asked = repositories.map(({ host, repository, hostRepositoryId, formerRepositories }, position) => ({
    position,
    host,
    id: hostRepositoryId ?? null,
    names: [repository, ...(formerRepositories ?? [])].map((name) => name.toLowerCase()),
  }));
  const rows = await connection.query<Delisted & { position: number }>(
    `SELECT DISTINCT ON (r.position) r.position, d.host, d.repository, d.reason,
       to_char(d.delisted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day
     FROM jsonb_to_recordset($1::jsonb) AS r(position int, host text, id text, names text[])
     JOIN delisting d ON d.relisted_at IS NULL AND lower(d.host) = lower(r.host)
       AND CASE WHEN d.host_repository_id IS NULL OR r.id IS NULL THEN lower(d.repository) = ANY (r.names)
         ELSE d.host_repository_id = r.id END
     ORDER BY r.position, d.id`,
    [JSON.stringify(asked)],
  );
  return new Map(rows.map((row) => [row.position, row]));
}
