import type { Connection } from '../../platform/database/connect.ts';
import {
  artifactsInside,
  refreshArtifactAliases,
  refreshListingAliases,
} from '../listings/listing-aliases.ts';
import { findListings, type NamedListing, type Renames } from '../listings/listing-names.ts';
import type { ImportedRow, RowOutcome, SavedBatch } from '../listings/listing-row.ts';
import { updateParents } from './lineage-edges.ts';
import { linkMissingEnds } from './relation-ends.ts';

// Must equal the expressions of the unique index of the table `relation`.
const SAME_STATEMENT = `t.type = r.type AND lower(t.from_repository) = lower(r.from_repository)
  AND coalesce(t.from_path, '') = coalesce(r.from_path, '') AND lower(t.to_repository) = lower(r.to_repository)
  AND coalesce(t.to_path, '') = coalesce(r.to_path, '') AND t.source = r.source`;

/** Joins the whole batch with its stored rows in one statement. */
const FIND_STORED = `SELECT t.id, coalesce(t.imported = r.imported, false) AS unchanged, t.imported IS NOT NULL AS "wasImported"
  FROM jsonb_to_recordset($1::jsonb) AS r(position int, type text, from_repository text, from_path text,
    to_repository text, to_path text, source text, imported jsonb)
  LEFT JOIN relation t ON ${SAME_STATEMENT} ORDER BY r.position`;

/**
 * Inserts or updates relations. An end that is connected to a listing stays connected, even if another repository takes
 * the name later: the source's statement was not about that one.
 */
const UPSERT = `
INSERT INTO relation AS t (type, from_repository, from_path, to_repository, to_path, from_listing_id, to_listing_id,
  directed, stated, resolution, evidence, source, imported)
SELECT * FROM jsonb_to_recordset($1::jsonb) AS r(type text, from_repository text, from_path text, to_repository text,
  to_path text, from_listing_id uuid, to_listing_id uuid, directed boolean, stated boolean, resolution text,
  evidence text, source text, imported jsonb)
ON CONFLICT (type, lower(from_repository), coalesce(from_path, ''), lower(to_repository), coalesce(to_path, ''), source)
DO UPDATE SET from_listing_id = coalesce(t.from_listing_id, excluded.from_listing_id),
  to_listing_id = coalesce(t.to_listing_id, excluded.to_listing_id), directed = excluded.directed,
  stated = excluded.stated, resolution = excluded.resolution, evidence = excluded.evidence, imported = excluded.imported`;

/** One end of a relation: a repository (`owner/name`) or, with a path, a file inside it. */
export interface RelationEnd {
  repository: string;
  path: string | null;
}

/** A source's statement about two repositories or files. */
export interface RelationRow {
  type: string;
  from: RelationEnd;
  to: RelationEnd;
  directed: boolean;
  stated: boolean;
  resolution: string | null;
  evidence: string | null;
  source: string;
  imported: ImportedRow;
}

/** Returns true if a source states that a repository was renamed. Probable renames do not count. */
export function isRename({ type, from, to, directed, stated }: RelationRow): boolean {
  return type === 'renamed_to' && directed && stated && from.path === null && to.path === null;
}

/**
 * Stores a batch of relations. Rejects a relation if neither end is a listing. After a stated rename, the old name
 * resolves to the listing with the new name. A statement of descent between two listings may make one the parent of the
 * other. The caller has called lockRegistry or lockKeys.
 */
export async function saveRelations(
  connection: Connection,
  rows: readonly RelationRow[],
  renames: Renames = new Map(),
): Promise<SavedBatch> {
  const stored = await findStored(connection, rows);
  const ends = await findEnds(connection, rows, renames);
  const decisions = rows.map((row, position) => decideRelation(row, stored[position], ends[position]));
  const writable = decisions.filter(isWritable);
  await upsertRelations(connection, writable);
  const linked = await learnFormerNames(connection, writable);
  const children = writable.flatMap(({ fromId }) => fromId ?? []);
  const { changed } = await updateParents(connection, [...new Set([...children, ...linked])]);
  const statedRenames = writable.flatMap(({ row, fromId, toId }) =>
    isRename(row) && toId !== null && fromId !== toId ? [{ formerName: row.from.repository, id: toId }] : [],
  );
  return { outcomes: decisions.map(outcomeOf), saved: [], due: [], dueByLineage: changed, statedRenames };
}

interface Stored {
  id: number | null;
  unchanged: boolean;
  wasImported: boolean;
}

interface Ends {
  from: NamedListing;
  to: NamedListing;
}

interface Writable {
  row: RelationRow;
  fromId: string | null;
  toId: string | null;
  added: boolean;
}

type Decision = Writable | RowOutcome;

function isWritable(decision: Decision): decision is Writable {
  return typeof decision === 'object' && 'row' in decision;
}

function outcomeOf(decision: Decision): RowOutcome {
  if (!isWritable(decision)) return decision;
  return decision.added ? 'added' : 'changed';
}

function decideRelation(row: RelationRow, stored: Stored | undefined, ends: Ends | undefined): Decision {
  if (stored?.unchanged) return 'unchanged';
  const fromId = known(ends?.from);
  const toId = known(ends?.to);
  if (fromId === null && toId === null) return { code: 'not_listed', reason: 'neither end is listed' };
  // Only a rename may connect two names of one repository.
  if (fromId === toId && !isRename(row))
    return { code: 'invalid', reason: 'both ends are in one repository' };
  return { row, fromId, toId, added: stored?.wasImported !== true };
}

/** Returns null for a name that no listing, or several listings, have or had. */
function known(listing: NamedListing | undefined): string | null {
  return listing === undefined || listing === 'several' ? null : listing;
}

function findStored(connection: Connection, rows: readonly RelationRow[]): Promise<Stored[]> {
  const asked = rows.map((row, position) => ({ position, ...statement(row), imported: row.imported }));
  return connection.query<Stored>(FIND_STORED, [JSON.stringify(asked)]);
}

async function findEnds(
  connection: Connection,
  rows: readonly RelationRow[],
  renames: Renames,
): Promise<Ends[]> {
  const names = rows.flatMap(({ from, to }) => [from, to]);
  const stated = names.map(({ repository }) => ({ nearHost: null, repository }));
  const found = await findListings(connection, stated, renames);
  return rows.map((_, index) => ({ from: found[2 * index] ?? null, to: found[2 * index + 1] ?? null }));
}

async function upsertRelations(connection: Connection, relations: readonly Writable[]): Promise<void> {
  if (relations.length === 0) return;
  const records = relations.map(({ row, fromId, toId }) => ({
    ...statement(row),
    from_listing_id: fromId,
    to_listing_id: toId,
    directed: row.directed,
    stated: row.stated,
    resolution: row.resolution,
    evidence: row.evidence,
    imported: row.imported,
  }));
  await connection.query(UPSERT, [JSON.stringify(records)]);
}

/**
 * Adds the old names of stated renames to the listings and to the artifacts inside, and connects relations that use
 * these names. Returns the listings at the `from` ends of the connected relations, because their parents may change.
 */
async function learnFormerNames(connection: Connection, relations: readonly Writable[]): Promise<string[]> {
  const newlyFormer = new Map<string, string[]>();
  for (const { row, toId } of relations) {
    if (!isRename(row) || toId === null) continue;
    newlyFormer.set(toId, [...(newlyFormer.get(toId) ?? []), row.from.repository]);
  }
  if (newlyFormer.size === 0) return [];
  const ids = [...newlyFormer.keys()];
  await refreshListingAliases(connection, ids, newlyFormer);
  await refreshArtifactAliases(connection, await artifactsInside(connection, ids));
  const names = [...newlyFormer].flatMap(([id, repositories]) =>
    repositories.map((repository) => ({ id, repository })),
  );
  return linkMissingEnds(connection, names);
}

function statement(row: RelationRow) {
  return {
    type: row.type,
    from_repository: row.from.repository,
    from_path: row.from.path,
    to_repository: row.to.repository,
    to_path: row.to.path,
    source: row.source,
  };
}
