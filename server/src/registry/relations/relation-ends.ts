import type { Connection } from '../../database/connect.ts';
import type { SavedListing } from '../listings/apply-rows.ts';
import { findListings, type Renames } from '../listings/listing-names.ts';
import type { ImportedRow, ListingRow } from '../listings/listing-row.ts';
import { REGISTRATION_SOURCE } from './lineage-edges-choice.ts';
import { INSERT_STATEMENTS, linkEnds, WITHDRAW_STATEMENTS } from './relation-ends.sql.ts';

/** A name, `owner/name`, that leads to a listing from now on. */
export interface NewName {
  id: string;
  repository: string;
}

/** Gives relations that waited for these names their missing ends; answers the children whose parents may change. */
export async function linkMissingEnds(connection: Connection, names: readonly NewName[]): Promise<string[]> {
  if (names.length === 0) return [];
  // The first of several listings with one name is taken: callers list the foremost host first.
  const unique = new Map<string, string>();
  for (const { id, repository } of names) {
    const name = repository.toLowerCase();
    if (!unique.has(name)) unique.set(name, id);
  }
  const bind = [[...unique.keys()], [...unique.values()]];
  const children = new Set<string>();
  for (const end of ['from', 'to'] as const) {
    const linked = await connection.query<{ child: string | null }>(linkEnds(end), bind);
    for (const { child } of linked) if (child !== null) children.add(child);
  }
  return [...children];
}

/**
 * Keeps what listing rows say of their own parents as relations: a row that no longer says it takes it back. Answers
 * the listings whose parents may change.
 */
export async function saveParentStatements(
  connection: Connection,
  listings: readonly SavedListing[],
  renames: Renames,
): Promise<string[]> {
  const changed = listings.filter(
    ({ row, before }) => statementOf(before?.imported) !== statementOf(row.imported),
  );
  const withdrawing = changed.filter(({ before }) => before?.imported?.parentRepository).map(({ id }) => id);
  if (withdrawing.length > 0) {
    await connection.query(WITHDRAW_STATEMENTS, [withdrawing, REGISTRATION_SOURCE]);
  }
  const stating = changed.filter(({ row }) => statesParent(row));
  await insertStatements(connection, stating, renames);
  return [...withdrawing, ...stating.map(({ id }) => id)];
}

function statementOf(imported: ImportedRow | null | undefined): string {
  if (!imported?.parentRepository) return 'none';
  const { repository, parentRepository, parentRelation, sources } = imported;
  return JSON.stringify([repository, parentRepository, parentRelation, sources]);
}

function statesParent({ repository, parentRepository, parentRelation }: ListingRow): boolean {
  if (parentRepository === null || parentRelation === null) return false;
  return parentRepository.toLowerCase() !== repository.toLowerCase();
}

async function insertStatements(
  connection: Connection,
  listings: readonly SavedListing[],
  renames: Renames,
): Promise<void> {
  if (listings.length === 0) return;
  const stated = listings.map(({ row }) => ({ nearHost: row.host, repository: row.parentRepository ?? '' }));
  const parents = await findListings(connection, stated, renames);
  await connection.query(INSERT_STATEMENTS, [
    listings.map(({ row }) => row.parentRelation),
    listings.map(({ row }) => row.repository),
    listings.map(({ row }) => row.parentRepository),
    listings.map(({ id }) => id),
    parents.map((parent) => (parent === 'several' ? null : parent)),
    listings.map(({ row }) => row.source),
  ]);
}
