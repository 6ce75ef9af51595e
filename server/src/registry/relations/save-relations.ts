import type { Connection } from '../../database/connect.ts';
import {
  artifactsInside,
  refreshArtifactAliases,
  refreshListingAliases,
} from '../listings/listing-aliases.ts';
import { findListings, type NamedListing, type Renames } from '../listings/listing-names.ts';
import type { ImportedRow, RowOutcome, SavedBatch } from '../listings/listing-row.ts';
import { updateParents } from './lineage-edges.ts';
import { linkMissingEnds } from './relation-ends.ts';
import { FIND_STORED, UPSERT } from './save-relations.sql.ts';

/** `owner/name`, or with a path a file inside it. */
export interface RelationEnd {
  repository: string;
  path: string | null;
}

/** What a source says of two repositories or files. */
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

/** True for a source's own word that a repository's old name became a new one; a probable rename is none. */
export function isRename({ type, from, to, directed, stated }: RelationRow): boolean {
  return type === 'renamed_to' && directed && stated && from.path === null && to.path === null;
}

/**
 * Stores a batch of relations of which at least one end is a listing. A stated rename makes the old name lead to the
 * new one's listing; a statement of descent between two listings makes a lineage edge. The caller has called lockLineage.
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
  return { outcomes: decisions.map(outcomeOf), saved: [], due: [], dueByLineage: changed };
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
  // A rename joins two names of one repository; anything else that does says nothing.
  if (fromId === toId && !isRename(row))
    return { code: 'invalid', reason: 'both ends are in one repository' };
  return { row, fromId, toId, added: stored?.wasImported !== true };
}

/** A name that several listings had means none of them. */
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

/** Makes old names lead to their listings, also inside them and in relations that waited for the name. */
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
