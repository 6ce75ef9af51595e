import { v7 as uuidv7 } from 'uuid';
import type { Connection } from '../../platform/database/connect.ts';
import { copyRows, isWorthCopying } from '../../platform/database/copy-rows.ts';
import type { ImportedRow } from '../listings/listing-row.ts';
import { DIRECTORY_HOST } from '../subjects/public-path.ts';
import { type Owner, ownerKey } from './creator-names.ts';
import type { CreatorRow, StoredCreator } from './save-creators.ts';

// Reads the whole batch in one statement. A merged creator resolves to the creator into which it was merged.
const FIND_CREATORS = `SELECT owner.subject_id AS id, c.host, c.handle, owner.handle AS "shownHandle",
    owner.display_name AS "displayName"
  FROM unnest($1::text[], $2::text[]) AS o(host, handle)
  JOIN creator c ON c.host = o.host AND lower(c.handle) = lower(o.handle)
  JOIN creator owner ON owner.subject_id = coalesce(c.merged_into, c.subject_id)`;

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

/** A creator to insert. If it is known only from a listing, it has just a host and a handle. */
export interface NewCreator extends Owner {
  displayName: string | null;
  imported: ImportedRow | null;
}

const COLUMNS = 'subject_id uuid, host text, handle text, display_name text, imported jsonb';

/** Inserts creators: large batches by COPY, small ones from one JSON parameter. */
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

interface Change {
  row: CreatorRow;
  stored: StoredCreator | null;
  unchanged: boolean;
  wasImported: boolean;
}

// Joins the whole batch with its stored rows in one statement.
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

interface Updated extends StoredCreator {
  renamed: boolean;
  /** True if facts changed on which scores of the creator, its listings or its artifacts depend. */
  factsChanged: boolean;
}

// Compares old and new values in the statement, so that only real changes cause further work.
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

/** Sets the names of creators' subjects to the display name, otherwise to the handle. */
export const RENAME_SUBJECTS = `UPDATE subject s SET name = coalesce(c.display_name, c.handle) FROM creator c
  WHERE c.subject_id = s.id AND s.id = ANY ($1::uuid[])`;

/** Selects the listings of creators. Ids are one array parameter, so that one prepared statement serves any number. */
export const LISTINGS_OF =
  'SELECT subject_id AS id FROM listing WHERE creator_id = ANY ($1::uuid[]) ORDER BY 1';

// Ids are one array parameter, so that one prepared statement serves any number of them.
const HANDLE_OWNERS_OF =
  'SELECT DISTINCT coalesce(merged_into, subject_id) AS id FROM creator WHERE subject_id = ANY ($1::uuid[])';

/** Returns the creators to which these creators' names resolve: themselves, or those into which they were merged. */
export async function handleOwnersOf(
  connection: Connection,
  creatorIds: readonly string[],
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(HANDLE_OWNERS_OF, [creatorIds]);
  return rows.map(({ id }) => id);
}

// Reads listings and their artifacts in one statement.
const WORKS_OF = `SELECT subject_id AS id FROM listing WHERE creator_id = ANY ($1::uuid[])
  UNION ALL SELECT a.subject_id FROM artifact a JOIN listing l ON l.subject_id = a.listing_id
  WHERE l.creator_id = ANY ($1::uuid[])`;

/** Returns the creators' listings and the artifacts inside them. */
export async function worksOf(connection: Connection, creatorIds: readonly string[]): Promise<string[]> {
  if (creatorIds.length === 0) return [];
  const works = await connection.query<{ id: string }>(WORKS_OF, [creatorIds]);
  return works.map(({ id }) => id);
}

/** Returns a customer account's creator; null if the account has never listed or proved anything. */
export async function findAccountCreator(
  { models, transaction }: Connection,
  accountId: string,
): Promise<string | null> {
  const where = { accountId };
  const creator = await models.Creator.findOne({ attributes: ['subjectId'], where, transaction });
  return creator?.subjectId ?? null;
}

/**
 * Inserts the creator of a customer account under this handle, and returns the creator's id. Stores no aliases, so that
 * no name resolves to the creator yet.
 */
export async function insertCreatorOf(
  { models, transaction }: Connection,
  accountId: string,
  handle: string,
): Promise<string> {
  const id = uuidv7();
  await models.Subject.create({ id, type: 'creator', name: handle }, { transaction });
  await models.Creator.create({ subjectId: id, host: DIRECTORY_HOST, handle, accountId }, { transaction });
  return id;
}

/** Returns a customer account's handle, or its id if it has no handle; null if the account does not exist. */
export async function findHandleOf(
  { models, transaction }: Connection,
  accountId: string,
): Promise<string | null> {
  const where = { id: accountId };
  const account = await models.Account.findOne({ attributes: ['handle'], where, transaction });
  return account && (account.handle ?? accountId);
}

/** Returns a creator's handle and display name, which are also search words of its listings. */
export async function findCreatorNames(
  { models, transaction }: Connection,
  creatorId: string,
): Promise<(string | null)[]> {
  const where = { subjectId: creatorId };
  const creator = await models.Creator.findOne({ attributes: ['handle', 'displayName'], where, transaction });
  return creator ? [creator.handle, creator.displayName] : [];
}
