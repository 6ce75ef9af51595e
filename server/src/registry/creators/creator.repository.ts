import type { Connection } from '../../database/connect.ts';
import { copyRows, isWorthCopying } from '../../database/copy-rows.ts';
import type { ImportedRow } from '../listings/listing-row.ts';
import { type Owner, ownerKey } from './owner-key.ts';
import type { CreatorRow, StoredCreator } from './save-creators.ts';

// A whole batch in one reading, merged creators under whom they were merged into.
const FIND_CREATORS = `SELECT bearer.subject_id AS id, c.host, c.handle, bearer.handle AS "shownHandle",
    bearer.display_name AS "displayName"
  FROM unnest($1::text[], $2::text[]) AS o(host, handle)
  JOIN creator c ON c.host = o.host AND lower(c.handle) = lower(o.handle)
  JOIN creator bearer ON bearer.subject_id = coalesce(c.merged_into, c.subject_id)`;

export async function findCreators(
  connection: Connection,
  owners: readonly Owner[],
): Promise<Map<string, StoredCreator>> {
  if (owners.length === 0) return new Map();
  const rows = await connection.query<StoredCreator>(FIND_CREATORS, [
    owners.map(({ host }) => host),
    owners.map(({ handle }) => handle),
  ]);
  return new Map(rows.map((row) => [ownerKey(row), row]));
}

/** A creator that is not stored yet; one of whom only a listing tells has no more than host and handle. */
export interface NewCreator extends Owner {
  displayName: string | null;
  imported: ImportedRow | null;
}

const COLUMNS = 'subject_id uuid, host text, handle text, display_name text, imported jsonb';

/** Adds a batch: many by COPY, few as one JSON value. */
export async function insertCreators(
  connection: Connection,
  creators: readonly (NewCreator & { id: string })[],
): Promise<void> {
  const rows = creators.map(({ id, host, handle, displayName, imported }) => ({
    subject_id: id,
    host,
    handle,
    display_name: displayName,
    imported,
  }));
  if (isWorthCopying(connection, rows)) return copyRows(connection, 'creator', COLUMNS, rows);
  await connection.query(
    `INSERT INTO creator (subject_id, host, handle, display_name, imported)
     SELECT * FROM jsonb_to_recordset($1::jsonb) AS r(${COLUMNS})`,
    [JSON.stringify(rows)],
  );
}

export interface Change {
  row: CreatorRow;
  stored: StoredCreator | null;
  unchanged: boolean;
  wasImported: boolean;
}

// A whole batch beside what is stored of it.
const FIND_CHANGES = `SELECT CASE WHEN c.subject_id IS NOT NULL THEN json_build_object('id', c.subject_id, 'host', c.host,
    'handle', c.handle, 'shownHandle', c.handle, 'displayName', c.display_name) END AS stored,
    coalesce(c.imported = r.imported, false) AS unchanged, c.imported IS NOT NULL AS "wasImported"
  FROM jsonb_to_recordset($1::jsonb) AS r(position int, host text, handle text, imported jsonb)
  LEFT JOIN creator c ON c.host = r.host AND lower(c.handle) = lower(r.handle)
  ORDER BY r.position`;

export async function findChanges(connection: Connection, rows: readonly CreatorRow[]): Promise<Change[]> {
  const asked = rows.map(({ host, handle, imported }, position) => ({ position, host, handle, imported }));
  const found = await connection.query<Omit<Change, 'row'>>(FIND_CHANGES, [JSON.stringify(asked)]);
  return found.map((change, position) => ({ ...change, row: rows[position] as CreatorRow }));
}

export interface Updated extends StoredCreator {
  renamed: boolean;
  /** What a score of theirs, or of their work, is made from. */
  factsChanged: boolean;
}

// Answers what was before beside what is now, so that only real changes have consequences.
const UPDATE_CREATORS = `UPDATE creator c SET imported = r.imported, updated_at = ledger_now(),
    handle = CASE WHEN c.account_id IS NULL THEN r.handle ELSE c.handle END,
    display_name = CASE WHEN c.account_id IS NULL THEN r.display_name ELSE c.display_name END
  FROM jsonb_to_recordset($1::jsonb) AS r(host text, handle text, display_name text, imported jsonb)
  JOIN creator old ON old.host = r.host AND lower(old.handle) = lower(r.handle)
  WHERE c.subject_id = old.subject_id
  RETURNING c.subject_id AS id, c.host, c.handle, c.handle AS "shownHandle", c.display_name AS "displayName",
    (c.handle, c.display_name) IS DISTINCT FROM (old.handle, old.display_name) AS renamed,
    (coalesce(r.imported ->> 'mcpRegistryGithubNamespace', '') = 'true') <>
      (coalesce(old.imported ->> 'mcpRegistryGithubNamespace', '') = 'true') OR
      (r.imported ->> 'accountCreatedAt') IS DISTINCT FROM (old.imported ->> 'accountCreatedAt') AS "factsChanged"`;

export async function updateCreators(
  connection: Connection,
  rows: readonly CreatorRow[],
): Promise<Updated[]> {
  if (rows.length === 0) return [];
  const records = rows.map(({ host, handle, displayName, imported }) => ({
    host,
    handle,
    display_name: displayName,
    imported,
  }));
  return connection.query<Updated>(UPDATE_CREATORS, [JSON.stringify(records)]);
}

/** A subject is called as its creator is. */
export const RENAME_SUBJECTS = `UPDATE subject s SET name = coalesce(c.display_name, c.handle) FROM creator c
  WHERE c.subject_id = s.id AND s.id = ANY ($1::uuid[])`;

/** An array: one kept statement. */
export const LISTINGS_OF =
  'SELECT subject_id AS id FROM listing WHERE creator_id = ANY ($1::uuid[]) ORDER BY 1';

// An array: one kept statement.
const BEARERS_OF =
  'SELECT DISTINCT coalesce(merged_into, subject_id) AS id FROM creator WHERE subject_id = ANY ($1::uuid[])';

/** Whom the names of these creators lead to: themselves, or the one that they were merged into. */
export async function bearersOf(connection: Connection, creatorIds: readonly string[]): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(BEARERS_OF, [creatorIds]);
  return rows.map(({ id }) => id);
}

// Listings and what is inside them: one reading.
const WORKS_OF = `SELECT subject_id AS id FROM listing WHERE creator_id = ANY ($1::uuid[])
  UNION ALL SELECT a.subject_id FROM artifact a JOIN listing l ON l.subject_id = a.listing_id
  WHERE l.creator_id = ANY ($1::uuid[])`;

/** Listings of the creators, and what is inside them. */
export async function worksOf(connection: Connection, creatorIds: readonly string[]): Promise<string[]> {
  if (creatorIds.length === 0) return [];
  const works = await connection.query<{ id: string }>(WORKS_OF, [creatorIds]);
  return works.map(({ id }) => id);
}
