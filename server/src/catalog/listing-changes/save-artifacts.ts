import { v7 as uuidv7 } from 'uuid';
import { batchSource } from '../../platform/batching/batch-source.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { CopiedRow } from '../../platform/database/copy-rows.ts';
import { type PackageNames, packageClaimants, refreshArtifactAliases } from '../listings/listing-aliases.ts';
import { findListings, type NamedListing, type Renames } from '../listings/listing-names.ts';
import type { ImportedRow, ListedType, RowOutcome, SavedBatch } from '../listings/listing-row.ts';
import { addSubjects, lockSubjects, refreshSearch } from '../listings/write-listings.ts';

/** A skill, plugin, agent or server inside a listed repository, as a source states it. */
export interface ArtifactRow {
  repository: string;
  type: ListedType;
  kind: string;
  name: string;
  path: string | null;
  description: string;
  license: string | null;
  npmPackage: string | null;
  pypiPackage: string | null;
  source: string;
  imported: ImportedRow;
}

interface Writable {
  position: number;
  row: ArtifactRow;
  listingId: string;
  stored: StoredArtifact | null;
  id: string;
}

/**
 * Stores a batch of artifacts in the listings whose repositories have the stated names, now or before. A listing that
 * gains its first skill file becomes due for scoring, because the file is part of the listing's metadata.
 */
export async function saveArtifacts(
  connection: Connection,
  rows: readonly ArtifactRow[],
  renames: Renames = new Map(),
): Promise<SavedBatch> {
  const stated = rows.map(({ repository }) => ({ nearHost: null, repository }));
  const listings = await findListings(connection, stated, renames);
  const stored = await findStored(connection, rows, listings);
  const decisions = decideArtifacts(rows, listings, stored);
  const writable = decisions.flatMap((decision) => (isWritable(decision) ? [decision] : []));
  const listingIds = [...new Set(writable.map(({ listingId }) => listingId))];
  const before = await listingsWithSkillFile(connection, listingIds);
  const storeAliases = await writeArtifacts(connection, writable);
  await refreshSearch(connection, listingIds);
  const after = await listingsWithSkillFile(connection, listingIds);
  return {
    outcomes: decisions.map(outcomeOf),
    saved: writable.map(({ id }) => id),
    due: listingIds.filter((id) => before.has(id) !== after.has(id)),
    dueByLineage: [],
    storeAliases,
  };
}

type Decision = Writable | RowOutcome;

function isWritable(decision: Decision): decision is Writable {
  return typeof decision === 'object' && 'row' in decision;
}

function outcomeOf(decision: Decision): RowOutcome {
  if (!isWritable(decision)) return decision;
  return decision.stored === null ? 'added' : 'changed';
}

function decideArtifacts(
  rows: readonly ArtifactRow[],
  listings: readonly NamedListing[],
  stored: ReadonlyMap<number, StoredArtifact>,
): Decision[] {
  const taken = new Set<string>();
  return rows.map((row, position) => {
    const listingId = listings[position] ?? null;
    if (listingId === null) return { code: 'not_listed', reason: 'its repository is not listed' };
    if (listingId === 'several')
      return { code: 'conflict', reason: 'its repository is a former name of several listings' };
    const present = stored.get(position) ?? null;
    const place = `${listingId} ${row.name}`;
    // A source may state one artifact under both the current and a former name of its repository. The first statement
    // wins.
    if (taken.has(place) || (present && isOther(present.statedRepository, row.repository))) {
      return {
        code: 'conflict',
        reason: 'its repository has an artifact of that name, stated under another name of the repository',
      };
    }
    if (present && present.type !== row.type) {
      return {
        code: 'conflict',
        reason: `it is listed as ${present.type}, and a subject's type never changes`,
      };
    }
    taken.add(place);
    if (present?.unchanged) return 'unchanged';
    return { position, row, listingId, stored: present, id: present?.id ?? uuidv7() };
  });
}

function isOther(a: string, b: string): boolean {
  return a.toLowerCase() !== b.toLowerCase();
}

/** Writes the rows. Returns a function that stores their aliases. */
async function writeArtifacts(
  connection: Connection,
  artifacts: readonly Writable[],
): Promise<() => Promise<void>> {
  if (artifacts.length === 0) return async () => undefined;
  const changed = artifacts.filter(({ stored }) => stored !== null);
  await lockSubjects(connection, [
    ...new Set([...changed.map(({ id }) => id), ...artifacts.map(({ listingId }) => listingId)]),
  ]);
  await upsertArtifacts(connection, artifacts);
  const packages = packagesOf(artifacts.flatMap(({ row, stored }) => (stored ? [row, stored] : [row])));
  const others = await packageClaimants(connection, packages);
  const ids = [...new Set([...artifacts.map(({ id }) => id), ...others.artifacts])];
  return () => refreshArtifactAliases(connection, ids);
}

function packagesOf(columns: readonly PackageColumns[]): PackageNames {
  return {
    npm: columns.flatMap(({ npmPackage }) => npmPackage ?? []),
    pypi: columns.flatMap(({ pypiPackage }) => pypiPackage ?? []),
  };
}

async function upsertArtifacts(connection: Connection, artifacts: readonly Writable[]): Promise<void> {
  const added = artifacts.filter(({ stored }) => stored === null);
  await addSubjects(
    connection,
    added.map(({ id, row: { type, name } }) => ({ id, type, name })),
  );
  const records = artifacts.map(({ id, listingId, row }) => ({
    subject_id: id,
    registry_row_id: uuidv7(),
    listing_id: listingId,
    type: row.type,
    kind: row.kind,
    name: row.name,
    path: row.path,
    description: row.description,
    license: row.license,
    npm_package: row.npmPackage,
    pypi_package: row.pypiPackage,
    source: row.source,
    imported: row.imported,
  }));
  await saveArtifactRows(connection, records);
}

interface StoredArtifact extends PackageColumns {
  id: string;
  type: ListedType;
  /** Repository name in the last stored row. */
  statedRepository: string;
  unchanged: boolean;
}

interface PackageColumns {
  npmPackage: string | null;
  pypiPackage: string | null;
}

// Joins the whole batch with its stored rows in one statement.
const FIND_STORED = `SELECT r.position, a.subject_id AS id, a.type, a.npm_package AS "npmPackage", a.pypi_package AS "pypiPackage",
    coalesce(a.imported ->> 'repository', '') AS "statedRepository", a.imported = r.imported AS unchanged
  FROM jsonb_to_recordset($1::jsonb) AS r(position int, listing_id uuid, name text, imported jsonb)
  JOIN artifact a ON a.listing_id = r.listing_id AND a.name = r.name`;

async function findStored(
  connection: Connection,
  rows: readonly ArtifactRow[],
  listings: readonly NamedListing[],
): Promise<Map<number, StoredArtifact>> {
  const asked = rows.flatMap(({ name, imported }, position) => {
    const listing = listings[position] ?? null;
    return listing === null || listing === 'several'
      ? []
      : [{ position, listing_id: listing, name, imported }];
  });
  const found = await connection.query<StoredArtifact & { position: number }>(FIND_STORED, [
    JSON.stringify(asked),
  ]);
  return new Map(found.map(({ position, ...artifact }) => [position, artifact]));
}

/** Inserts or updates a batch of artifacts in one statement. */
const UPSERT_COLUMNS = `subject_id uuid, registry_row_id uuid, listing_id uuid, type text, kind text, name text, path text,
  description text, license text, npm_package text, pypi_package text, source text, imported jsonb`;
const upsertFrom = (rows: string) => `
INSERT INTO artifact (subject_id, registry_row_id, listing_id, type, kind, name, path, description, license,
  npm_package, pypi_package, source, imported)
SELECT * FROM ${rows} r
ON CONFLICT (listing_id, name) DO UPDATE SET kind = excluded.kind, path = excluded.path,
  description = excluded.description, license = excluded.license, npm_package = excluded.npm_package,
  pypi_package = excluded.pypi_package, source = excluded.source, imported = excluded.imported, updated_at = ledger_now()`;

async function saveArtifactRows(connection: Connection, rows: readonly object[]): Promise<void> {
  const { from, bind } = await batchSource(connection, UPSERT_COLUMNS, rows as CopiedRow[]);
  await connection.query(upsertFrom(from), bind);
}

// The array parameter keeps one prepared statement for any number.
const WITH_SKILL_FILE = `SELECT DISTINCT listing_id AS id FROM artifact
  WHERE listing_id = ANY ($1::uuid[]) AND kind = 'skill' AND path IS NOT NULL`;

/** Returns the listings that contain a skill with a path. */
async function listingsWithSkillFile(
  connection: Connection,
  listingIds: readonly string[],
): Promise<Set<string>> {
  if (listingIds.length === 0) return new Set();
  const rows = await connection.query<{ id: string }>(WITH_SKILL_FILE, [listingIds]);
  return new Set(rows.map(({ id }) => id));
}
