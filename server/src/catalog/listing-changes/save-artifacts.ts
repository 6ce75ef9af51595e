import { v7 as uuidv7 } from 'uuid';
import { batchSource } from '../../platform/batching/batch-source.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { CopiedRow } from '../../platform/database/copy-rows.ts';
import { type PackageNames, packageClaimants, refreshArtifactAliases } from '../listings/listing-aliases.ts';
import { findListings, type NamedListing, type Renames } from '../listings/listing-names.ts';
import type { ImportedRow, ListedType, RowOutcome, SavedBatch } from '../listings/listing-row.ts';
import { addSubjects, lockSubjects, refreshSearch } from '../listings/write-listings.ts';
import { pathAlias } from '../subjects/stored-aliases.ts';
import { passOnIds } from '../subjects/subject-alias.queries.ts';
import {
  type ArtifactRow,
  artifactKeyOf,
  artifactRowOf,
  type CombinedStatements,
  combineStatements,
} from './artifact-statements.ts';

/** An artifact to store, with all statements about it, including those already stored. */
interface Artifact extends CombinedStatements {
  id: string;
  listingId: string;
  isNew: boolean;
  /**
   * Ids of other stored artifacts with the same path, which are merged into this one. Their ids and names then resolve
   * to this one.
   */
  absorbed: readonly string[];
}

/**
 * Stores a batch of artifacts in the listings whose repositories have or had the stated names. Rows with the same path
 * in a listing are statements about one artifact, even if they give it different names. A listing that gains its first
 * skill file, or loses its last, becomes due for scoring, because the file is part of the listing's metadata.
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
  const artifacts = await gatherStatements(connection, writable);
  const listingIds = [...new Set(artifacts.map(({ listingId }) => listingId))];
  const before = await listingsWithSkillFile(connection, listingIds);
  const storeAliases = await writeArtifacts(connection, artifacts);
  await refreshSearch(connection, listingIds);
  const after = await listingsWithSkillFile(connection, listingIds);
  return {
    outcomes: decisions.map(outcomeOf),
    saved: artifacts.map(({ id }) => id),
    due: listingIds.filter((id) => before.has(id) !== after.has(id)),
    dueByLineage: [],
    storeAliases,
  };
}

/** A row to store. `stored` is the stored artifact that has the row's name; null if there is none. */
interface Writable {
  row: ArtifactRow;
  listingId: string;
  stored: StoredArtifact | null;
  /** Ids of the stored artifacts of the listing that have the row's path. */
  atPlace: readonly string[];
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
  stored: ReadonlyMap<number, StoredPlace>,
): Decision[] {
  const taken = new Set<string>();
  return rows.map((row, position) => {
    const listingId = listings[position] ?? null;
    if (listingId === null) return { code: 'not_listed', reason: 'its repository is not listed' };
    if (listingId === 'several')
      return { code: 'conflict', reason: 'its repository is a former name of several listings' };
    const { named: present, atPlace } = stored.get(position) ?? { named: null, atPlace: [] };
    const name = `${listingId} ${row.name}`;
    // A source may state one artifact under both the current and a former name of its repository. The first statement
    // wins.
    if (taken.has(name) || (present && isOther(present.statedRepository, row.repository))) {
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
    taken.add(name);
    // Earlier imports stored statements about one path as several artifacts. Writing the row merges them.
    const isAlone = present !== null && atPlace.every((id) => id === present.id);
    if (present?.unchanged && isAlone) return 'unchanged';
    return { row, listingId, stored: present, atPlace };
  });
}

function isOther(a: string, b: string): boolean {
  return a.toLowerCase() !== b.toLowerCase();
}

/** A stored statement, with the artifact that it is about. */
interface StoredStatement {
  row: ArtifactRow;
  listingId: string;
  subjectId: string;
}

/**
 * Groups the rows and the stored statements by the artifact that they are about. A stored artifact keeps its path as
 * long as a statement that no row replaces gives it that path; otherwise it takes the path of the row that replaces its
 * statement. If several stored artifacts have the same path, the others are merged into the oldest.
 */
async function gatherStatements(connection: Connection, rows: readonly Writable[]): Promise<Artifact[]> {
  const known = new Set(rows.flatMap(({ stored, atPlace }) => [...atPlace, ...(stored ? [stored.id] : [])]));
  const restated = new Set(rows.map(({ listingId, row }) => `${listingId} ${row.name}`));
  const remaining = (await findStatements(connection, [...known])).filter(
    ({ listingId, row }) => !restated.has(`${listingId} ${row.name}`),
  );
  const groups = new Map<string, { listingId: string; statements: ArtifactRow[]; ids: string[] }>();
  for (const { listingId, row } of [...remaining, ...rows]) {
    const group = groups.get(keyOf({ listingId, row })) ?? { listingId, statements: [], ids: [] };
    group.statements.push(row);
    groups.set(keyOf({ listingId, row }), group);
  }
  const claims = [
    ...remaining.map((each) => [each.subjectId, keyOf(each)] as const),
    ...rows.flatMap((each) => each.atPlace.map((id) => [id, keyOf(each)] as const)),
    ...rows.flatMap((each) => (each.stored ? [[each.stored.id, keyOf(each)] as const] : [])),
  ];
  for (const [id, key] of claims) if (known.delete(id)) groups.get(key)?.ids.push(id);
  return [...groups.values()].map(({ listingId, statements, ids }) => {
    // UUIDv7 ids begin with their time of creation, so the lowest id is the oldest.
    const [id, ...absorbed] = ids.sort();
    const isNew = id === undefined;
    return { ...combineStatements(statements), listingId, id: id ?? uuidv7(), isNew, absorbed };
  });
}

function keyOf({ listingId, row }: { listingId: string; row: ArtifactRow }): string {
  return `${listingId} ${artifactKeyOf(row)}`;
}

/** Writes the artifacts. Returns a function that stores their aliases. */
async function writeArtifacts(
  connection: Connection,
  artifacts: readonly Artifact[],
): Promise<() => Promise<void>> {
  if (artifacts.length === 0) return async () => undefined;
  const kept = artifacts.filter(({ isNew }) => !isNew);
  const absorbed = artifacts.flatMap((artifact) => artifact.absorbed);
  await lockSubjects(connection, [
    ...new Set([...kept.map(({ id }) => id), ...absorbed, ...artifacts.map(({ listingId }) => listingId)]),
  ]);
  const former = await storedPackages(connection, [...kept.map(({ id }) => id), ...absorbed]);
  await absorbSubjects(connection, artifacts);
  await upsertArtifacts(connection, artifacts);
  const packages = packagesOf([...artifacts.map(({ shown }) => shown), ...former]);
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

/**
 * Removes artifacts that were merged into others. Their subjects stay, because receipts and scores refer to them. Their
 * UUIDs become former names of the artifacts into which they were merged.
 */
async function absorbSubjects(connection: Connection, artifacts: readonly Artifact[]): Promise<void> {
  const pairs = artifacts.flatMap(({ id, absorbed }) => absorbed.map((former) => ({ former, id })));
  if (pairs.length === 0) return;
  await passOnIds(connection, pairs);
  const absorbed = pairs.map(({ former }) => former);
  await connection.query('DELETE FROM score_due WHERE subject_id = ANY ($1::uuid[])', [absorbed]);
  await connection.query('DELETE FROM artifact WHERE subject_id = ANY ($1::uuid[])', [absorbed]);
}

async function upsertArtifacts(connection: Connection, artifacts: readonly Artifact[]): Promise<void> {
  const added = artifacts.filter(({ isNew }) => isNew);
  const kept = artifacts.filter(({ isNew }) => !isNew);
  await addSubjects(
    connection,
    added.map(({ id, shown: { type, name } }) => ({ id, type, name })),
  );
  const keptIds = kept.map(({ id }) => id);
  if (kept.length > 0) await connection.query(DELETE_NAMES, [keptIds]);
  // Updates existing artifacts first: one that is renamed frees its former name for a new artifact.
  const records = [...kept, ...added].map(({ id, listingId, shown }) => ({
    subject_id: id,
    registry_row_id: uuidv7(),
    listing_id: listingId,
    type: shown.type,
    kind: shown.kind,
    name: shown.name,
    path: shown.path,
    description: shown.description,
    license: shown.license,
    npm_package: shown.npmPackage,
    pypi_package: shown.pypiPackage,
    source: shown.source,
    imported: shown.imported,
  }));
  await saveArtifactRows(connection, records);
  if (kept.length > 0) await connection.query(RENAME_SUBJECTS, [keptIds]);
  const names = artifacts.flatMap(({ id, listingId, others }) =>
    others.map(({ name, imported }) => ({ listing_id: listingId, name, subject_id: id, imported })),
  );
  if (names.length > 0) await connection.query(INSERT_NAMES, [JSON.stringify(names)]);
}

const DELETE_NAMES = 'DELETE FROM artifact_other_name WHERE subject_id = ANY ($1::uuid[])';
const INSERT_NAMES = `INSERT INTO artifact_other_name (listing_id, name, subject_id, imported)
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS n(listing_id uuid, name text, subject_id uuid, imported jsonb)`;
const RENAME_SUBJECTS = `UPDATE subject s SET name = a.name FROM artifact a
  WHERE a.subject_id = s.id AND s.id = ANY ($1::uuid[]) AND s.name <> a.name`;

interface StoredArtifact {
  id: string;
  type: ListedType;
  /** Repository name in the last stored row. */
  statedRepository: string;
  unchanged: boolean;
}

/** Stored artifacts that a row may be about: the one that has its name, and those that have its path. */
interface StoredPlace {
  named: StoredArtifact | null;
  atPlace: readonly string[];
}

/**
 * Selects the stored statements of listing `r.listing_id` that give an artifact the name of row `r`, as main or other
 * name.
 */
const NAMED = `SELECT a.subject_id AS id, a.type, a.imported FROM artifact a WHERE a.listing_id = r.listing_id AND a.name = r.name
  UNION ALL SELECT a.subject_id, a.type, n.imported FROM artifact_other_name n JOIN artifact a ON a.subject_id = n.subject_id
  WHERE n.listing_id = r.listing_id AND n.name = r.name`;

// Joins the whole batch with its stored rows in one statement. Artifacts with the same path are found by the alias of
// the path.
const FIND_STORED = `SELECT r.position, CASE WHEN s.id IS NOT NULL THEN jsonb_build_object('id', s.id, 'type', s.type,
    'statedRepository', coalesce(s.imported ->> 'repository', ''), 'unchanged', coalesce(s.imported = r.imported, false)) END AS named,
    ARRAY(SELECT p.subject_id FROM subject_alias p JOIN artifact a ON a.subject_id = p.subject_id AND a.listing_id = r.listing_id
      WHERE r.below <> '' AND p.label = lower(l.host) || '/' || lower(l.repository) || '//' || r.below
        AND p.subject_type = r.type AND p.kind = 'identity') AS "atPlace"
  FROM jsonb_to_recordset($1::jsonb) AS r(position int, listing_id uuid, name text, type text, below text, imported jsonb)
  JOIN listing l ON l.subject_id = r.listing_id LEFT JOIN LATERAL (${NAMED}) s ON true`;

async function findStored(
  connection: Connection,
  rows: readonly ArtifactRow[],
  listings: readonly NamedListing[],
): Promise<Map<number, StoredPlace>> {
  const asked = rows.flatMap(({ name, type, path, imported }, position) => {
    const listing = listings[position] ?? null;
    return listing === null || listing === 'several'
      ? []
      : [
          {
            position,
            listing_id: listing,
            name,
            type,
            below: path === null ? '' : pathAlias(path),
            imported,
          },
        ];
  });
  const found = await connection.query<StoredPlace & { position: number }>(FIND_STORED, [
    JSON.stringify(asked),
  ]);
  return new Map(found.map(({ position, ...place }) => [position, place]));
}

/**
 * Selects the imported rows about artifacts. The first releases stored no imported rows: for their artifacts, the row
 * is built from the columns.
 */
const FIND_STATEMENTS = `SELECT subject_id AS "subjectId", listing_id AS "listingId", coalesce(imported, jsonb_build_object('name', name,
    'kind', kind, 'path', path, 'description', description, 'license', license, 'npmPackage', npm_package,
    'pypiPackage', pypi_package, 'sources', jsonb_build_array(source))) AS imported
  FROM artifact WHERE subject_id = ANY ($1::uuid[])
  UNION ALL SELECT subject_id, listing_id, imported FROM artifact_other_name WHERE subject_id = ANY ($1::uuid[])`;

async function findStatements(connection: Connection, ids: readonly string[]): Promise<StoredStatement[]> {
  if (ids.length === 0) return [];
  const found = await connection.query<Omit<StoredStatement, 'row'> & { imported: ImportedRow }>(
    FIND_STATEMENTS,
    [ids],
  );
  return found.map(({ imported, ...about }) => ({ ...about, row: artifactRowOf(imported) }));
}

interface PackageColumns {
  npmPackage: string | null;
  pypiPackage: string | null;
}

/** Returns the packages of stored artifacts, before they change. */
async function storedPackages(connection: Connection, ids: readonly string[]): Promise<PackageColumns[]> {
  if (ids.length === 0) return [];
  return connection.query<PackageColumns>(
    'SELECT npm_package AS "npmPackage", pypi_package AS "pypiPackage" FROM artifact WHERE subject_id = ANY ($1::uuid[])',
    [ids],
  );
}

/** Columns of the batch that `upsertFrom` inserts or updates in one statement. */
const UPSERT_COLUMNS = `subject_id uuid, registry_row_id uuid, listing_id uuid, type text, kind text, name text, path text,
  description text, license text, npm_package text, pypi_package text, source text, imported jsonb`;
const upsertFrom = (rows: string) => `
INSERT INTO artifact (subject_id, registry_row_id, listing_id, type, kind, name, path, description, license,
  npm_package, pypi_package, source, imported)
SELECT * FROM ${rows} r
ON CONFLICT (subject_id) DO UPDATE SET kind = excluded.kind, name = excluded.name, path = excluded.path,
  description = excluded.description, license = excluded.license, npm_package = excluded.npm_package,
  pypi_package = excluded.pypi_package, source = excluded.source, imported = excluded.imported, updated_at = ledger_now()`;

async function saveArtifactRows(connection: Connection, rows: readonly object[]): Promise<void> {
  const { from, bind } = await batchSource(connection, UPSERT_COLUMNS, rows as CopiedRow[]);
  await connection.query(upsertFrom(from), bind);
}

// Ids are one array parameter, so that one prepared statement serves any number of them.
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
