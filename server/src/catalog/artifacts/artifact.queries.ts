import { batchSource } from '../../platform/batching/batch-source.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { CopiedRow } from '../../platform/database/copy-rows.ts';
import type { NamedListing } from '../listings/listing-names.ts';
import type { ListedType } from '../listings/listing-row.ts';
import type { ArtifactRow } from './save-artifacts.ts';

export interface StoredArtifact extends PackageColumns {
  id: string;
  type: ListedType;
  /** Repository name in the last stored row. */
  statedRepository: string;
  unchanged: boolean;
}

export interface PackageColumns {
  npmPackage: string | null;
  pypiPackage: string | null;
}

// Joins the whole batch with its stored rows in one statement.
const FIND_STORED = `SELECT r.position, a.subject_id AS id, a.type, a.npm_package AS "npmPackage", a.pypi_package AS "pypiPackage",
    coalesce(a.imported ->> 'repository', '') AS "statedRepository", a.imported = r.imported AS unchanged
  FROM jsonb_to_recordset($1::jsonb) AS r(position int, listing_id uuid, name text, imported jsonb)
  JOIN artifact a ON a.listing_id = r.listing_id AND a.name = r.name`;

export async function findStored(
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

/** Inserts or updates a batch in one statement. */
const UPSERT_COLUMNS = `subject_id uuid, registry_row_id uuid, listing_id uuid, type text, kind text, name text, path text,
  description text, license text, npm_package text, pypi_package text, source text, imported jsonb`;
const upsertFrom = (rows: string) => `
INSERT INTO artifact (subject_id, registry_row_id, listing_id, type, kind, name, path, description, license,
  npm_package, pypi_package, source, imported)
SELECT * FROM ${rows} r
ON CONFLICT (listing_id, name) DO UPDATE SET kind = excluded.kind, path = excluded.path,
  description = excluded.description, license = excluded.license, npm_package = excluded.npm_package,
  pypi_package = excluded.pypi_package, source = excluded.source, imported = excluded.imported, updated_at = ledger_now()`;

export async function saveArtifactRows(connection: Connection, rows: readonly object[]): Promise<void> {
  const { from, bind } = await batchSource(connection, UPSERT_COLUMNS, rows as CopiedRow[]);
  await connection.query(upsertFrom(from), bind);
}

// Takes an array, so that one prepared statement serves any number.
const WITH_SKILL_FILE = `SELECT DISTINCT listing_id AS id FROM artifact
  WHERE listing_id = ANY ($1::uuid[]) AND kind = 'skill' AND path IS NOT NULL`;

/** Returns the listings that contain a skill with a path. */
export async function listingsWithSkillFile(
  connection: Connection,
  listingIds: readonly string[],
): Promise<Set<string>> {
  if (listingIds.length === 0) return new Set();
  const rows = await connection.query<{ id: string }>(WITH_SKILL_FILE, [listingIds]);
  return new Set(rows.map(({ id }) => id));
}
