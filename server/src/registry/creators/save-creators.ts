import { v7 as uuidv7 } from 'uuid';
import type { Connection } from '../../database/connect.ts';
import { creatorAliases } from '../../subjects/labels.ts';
import { insertAliases } from '../../subjects/subject-alias.repository.ts';
import type { ImportedRow, RowOutcome, SavedBatch } from '../listings/listing-row.ts';
import { lockSubjects, refreshSearch } from '../listings/write-listings.ts';
import { refreshCreatorAliases } from './creator-names.ts';

/** One repository owner as a source states it. */
export interface CreatorRow {
  host: string;
  handle: string;
  displayName: string | null;
  /** Other spellings of the handle, in case only. */
  handleVariants: readonly string[];
  imported: ImportedRow;
}

/** An account on a repository host. */
export interface Owner {
  host: string;
  handle: string;
}

/** A creator as stored. Of one that was merged into another, host and handle are its own, the rest is the other's. */
export interface StoredCreator extends Owner {
  id: string;
  /** The handle that its listings are shown and found under. */
  shownHandle: string;
  displayName: string | null;
}

/** One text per account, whatever the case of its handle. */
export function ownerKey({ host, handle }: Owner): string {
  return `${host}:${handle.toLowerCase()}`;
}

/** The creators of these accounts by `ownerKey`; who is not known yet is added, with no more than host and handle. */
export async function ensureCreators(
  connection: Connection,
  owners: readonly Owner[],
): Promise<Map<string, StoredCreator>> {
  const wanted = new Map(owners.map((owner) => [ownerKey(owner), owner]));
  const known = await findCreators(connection, [...wanted.values()]);
  const missing = [...wanted].filter(([key]) => !known.has(key)).map(([, owner]) => owner);
  for (const creator of await addCreators(connection, missing)) known.set(ownerKey(creator), creator);
  return known;
}

/**
 * Stores a batch of creator rows: unknown ones are added, known ones brought up to date, unchanged ones not written.
 * What an account of this directory calls itself is its own; a row can't change it. Listings of creators whose facts
 * for the score changed are due.
 */
export async function saveCreators(connection: Connection, rows: readonly CreatorRow[]): Promise<SavedBatch> {
  const changes = await findChanges(connection, rows);
  const outcomes = changes.map(({ stored, unchanged, wasImported }): RowOutcome => {
    if (unchanged) return 'unchanged';
    return stored !== null && wasImported ? 'changed' : 'added';
  });
  const known = changes.flatMap(({ row, stored, unchanged }) =>
    stored && !unchanged ? [{ row, stored }] : [],
  );
  const unknown = changes.filter(({ stored }) => stored === null).map(({ row }) => row);
  await lockSubjects(
    connection,
    known.map(({ stored }) => stored.id),
  );
  await addCreators(connection, unknown);
  const updated = await updateCreators(connection, [...known.map(({ row }) => row), ...unknown]);
  await renameCreators(
    connection,
    updated.filter(({ renamed }) => renamed),
  );
  const changed = updated.filter(({ factsChanged }) => factsChanged).map(({ id }) => id);
  const due = [...changed, ...(await worksOf(connection, changed))];
  return { outcomes, saved: [], due, dueByLineage: [] };
}

async function findCreators(
  connection: Connection,
  owners: readonly Owner[],
): Promise<Map<string, StoredCreator>> {
  if (owners.length === 0) return new Map();
  const rows = await connection.query<StoredCreator>(
    `SELECT bearer.subject_id AS id, c.host, c.handle, bearer.handle AS "shownHandle",
       bearer.display_name AS "displayName"
     FROM unnest($1::text[], $2::text[]) AS o(host, handle)
     JOIN creator c ON c.host = o.host AND lower(c.handle) = lower(o.handle)
     JOIN creator bearer ON bearer.subject_id = coalesce(c.merged_into, c.subject_id)`,
    [owners.map(({ host }) => host), owners.map(({ handle }) => handle)],
  );
  return new Map(rows.map((row) => [ownerKey(row), row]));
}

async function addCreators(connection: Connection, owners: readonly Owner[]): Promise<StoredCreator[]> {
  if (owners.length === 0) return [];
  const creators = [...owners]
    // In one order for everybody, so that two who add the same ones wait for each other and not in a circle.
    .sort((a, b) => (ownerKey(a) < ownerKey(b) ? -1 : 1))
    .map(({ host, handle }) => ({ id: uuidv7(), host, handle, shownHandle: handle, displayName: null }));
  const ids = creators.map(({ id }) => id);
  const handles = creators.map(({ handle }) => handle);
  await connection.query(
    `INSERT INTO subject (id, type, name) SELECT id, 'creator', name FROM unnest($1::uuid[], $2::text[]) AS s(id, name)`,
    [ids, handles],
  );
  await connection.query(
    `INSERT INTO creator (subject_id, host, handle) SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[])`,
    [ids, creators.map(({ host }) => host), handles],
  );
  const named = creators.map((creator) => ({
    subjectId: creator.id,
    subjectType: 'creator' as const,
    aliases: creatorAliases(creator),
  }));
  await insertAliases(connection, named);
  return creators;
}

interface Change {
  row: CreatorRow;
  stored: StoredCreator | null;
  unchanged: boolean;
  wasImported: boolean;
}

async function findChanges(connection: Connection, rows: readonly CreatorRow[]): Promise<Change[]> {
  const asked = rows.map(({ host, handle, imported }, position) => ({ position, host, handle, imported }));
  const found = await connection.query<Omit<Change, 'row'>>(
    `SELECT CASE WHEN c.subject_id IS NOT NULL THEN json_build_object('id', c.subject_id, 'host', c.host,
       'handle', c.handle, 'shownHandle', c.handle, 'displayName', c.display_name) END AS stored,
       coalesce(c.imported = r.imported, false) AS unchanged, c.imported IS NOT NULL AS "wasImported"
     FROM jsonb_to_recordset($1::jsonb) AS r(position int, host text, handle text, imported jsonb)
     LEFT JOIN creator c ON c.host = r.host AND lower(c.handle) = lower(r.handle)
     ORDER BY r.position`,
    [JSON.stringify(asked)],
  );
  return found.map((change, position) => ({ ...change, row: rows[position] as CreatorRow }));
}

interface Updated extends StoredCreator {
  renamed: boolean;
  /** What a score of theirs, or of their work, is made from. */
  factsChanged: boolean;
}

async function updateCreators(connection: Connection, rows: readonly CreatorRow[]): Promise<Updated[]> {
  if (rows.length === 0) return [];
  const records = rows.map(({ host, handle, displayName, imported }) => ({
    host,
    handle,
    display_name: displayName,
    imported,
  }));
  return connection.query<Updated>(
    `UPDATE creator c SET imported = r.imported, updated_at = ledger_now(),
       handle = CASE WHEN c.account_id IS NULL THEN r.handle ELSE c.handle END,
       display_name = CASE WHEN c.account_id IS NULL THEN r.display_name ELSE c.display_name END
     FROM jsonb_to_recordset($1::jsonb) AS r(host text, handle text, display_name text, imported jsonb)
     JOIN creator old ON old.host = r.host AND lower(old.handle) = lower(r.handle)
     WHERE c.subject_id = old.subject_id
     RETURNING c.subject_id AS id, c.host, c.handle, c.handle AS "shownHandle", c.display_name AS "displayName",
       (c.handle, c.display_name) IS DISTINCT FROM (old.handle, old.display_name) AS renamed,
       (coalesce(r.imported ->> 'mcpRegistryGithubNamespace', '') = 'true') <>
         (coalesce(old.imported ->> 'mcpRegistryGithubNamespace', '') = 'true') OR
         (r.imported ->> 'accountCreatedAt') IS DISTINCT FROM (old.imported ->> 'accountCreatedAt') AS "factsChanged"`,
    [JSON.stringify(records)],
  );
}

/** A creator's new display name or spelling leads to it and finds its listings. */
async function renameCreators(connection: Connection, creators: readonly StoredCreator[]): Promise<void> {
  if (creators.length === 0) return;
  const ids = creators.map(({ id }) => id);
  await connection.query(
    `UPDATE subject s SET name = coalesce(c.display_name, c.handle) FROM creator c
     WHERE c.subject_id = s.id AND s.id = ANY ($1::uuid[])`,
    [ids],
  );
  const bearers = await bearersOf(connection, ids);
  await refreshCreatorAliases(connection, bearers);
  const listings = await connection.query<{ id: string }>(
    'SELECT subject_id AS id FROM listing WHERE creator_id = ANY ($1::uuid[]) ORDER BY 1',
    [bearers],
  );
  await refreshSearch(
    connection,
    listings.map(({ id }) => id),
  );
}

/** Whom the names of these creators lead to: themselves, or the one that they were merged into. */
async function bearersOf(connection: Connection, creatorIds: readonly string[]): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    'SELECT DISTINCT coalesce(merged_into, subject_id) AS id FROM creator WHERE subject_id = ANY ($1::uuid[])',
    [creatorIds],
  );
  return rows.map(({ id }) => id);
}

/** Listings of the creators, and what is inside them. */
async function worksOf(connection: Connection, creatorIds: readonly string[]): Promise<string[]> {
  if (creatorIds.length === 0) return [];
  const works = await connection.query<{ id: string }>(
    `SELECT subject_id AS id FROM listing WHERE creator_id = ANY ($1::uuid[])
     UNION ALL SELECT a.subject_id FROM artifact a JOIN listing l ON l.subject_id = a.listing_id
     WHERE l.creator_id = ANY ($1::uuid[])`,
    [creatorIds],
  );
  return works.map(({ id }) => id);
}
