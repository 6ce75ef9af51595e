import type { Connection } from '../../database/connect.ts';
import type { SavedListing } from '../listings/apply-rows.ts';
import { findListings, type Renames } from '../listings/listing-names.ts';
import type { ImportedRow } from '../listings/listing-row.ts';
import { requireLineageAlone } from './lineage-edges.ts';
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
    // Which edge it makes of two listings that come at once is for one of them to see.
    if (linked.length > 0) requireLineageAlone(connection);
    for (const { child } of linked) if (child !== null) children.add(child);
  }
  return [...children];
}

/**
 * Keeps what listing rows say of their own parents and newest names as relations: a row that no longer says it takes it
 * back. Answers the listings whose parents may change.
 */
export async function saveOwnStatements(
  connection: Connection,
  listings: readonly SavedListing[],
  renames: Renames,
): Promise<string[]> {
  const changed = listings.filter(
    ({ row, before }) => statementsIn(before?.imported) !== statementsIn(row.imported),
  );
  const withdrawing = changed.filter(({ before }) => statementsIn(before?.imported) !== 'none').map(idOf);
  if (withdrawing.length > 0) {
    await connection.query(WITHDRAW_STATEMENTS, [withdrawing, REGISTRATION_SOURCE]);
  }
  const statements = changed.flatMap(statementsOf);
  await insertStatements(connection, statements, renames);
  return [...new Set([...withdrawing, ...statements.map(({ listing }) => listing.id)])];
}

function idOf({ id }: SavedListing): string {
  return id;
}

/** What a row says of itself, as one text that tells whether it says anything new. */
function statementsIn(imported: ImportedRow | null | undefined): string {
  if (!imported?.parentRepository && !imported?.probablyRenamedTo) return 'none';
  const { repository, parentRepository, parentRelation, probablyRenamedTo, sources } = imported;
  return JSON.stringify([
    repository,
    parentRepository,
    parentRelation,
    sources,
    ...(probablyRenamedTo ? [probablyRenamedTo] : []),
  ]);
}

/** A statement of a listing's row about itself and another repository. */
interface OwnStatement {
  listing: SavedListing;
  type: string;
  to: string;
  stated: boolean;
}

function statementsOf(listing: SavedListing): OwnStatement[] {
  const { repository, parentRepository, parentRelation, probablyRenamedTo } = listing.row;
  const statements: OwnStatement[] = [];
  if (parentRepository !== null && parentRelation !== null)
    statements.push({ listing, type: parentRelation, to: parentRepository, stated: true });
  if (probablyRenamedTo !== null)
    statements.push({ listing, type: PROBABLE_RENAME, to: probablyRenamedTo, stated: false });
  return statements.filter(({ to }) => to.toLowerCase() !== repository.toLowerCase());
}

const PROBABLE_RENAME = 'probable_rename_to';

async function insertStatements(
  connection: Connection,
  statements: readonly OwnStatement[],
  renames: Renames,
): Promise<void> {
  if (statements.length === 0) return;
  const named = statements.map(({ listing, to }) => ({ nearHost: listing.row.host, repository: to }));
  const others = await findListings(connection, named, renames);
  await connection.query(INSERT_STATEMENTS, [
    statements.map(({ type }) => type),
    statements.map(({ listing }) => listing.row.repository),
    statements.map(({ to }) => to),
    statements.map(({ listing }) => listing.id),
    others.map((other) => (other === 'several' ? null : other)),
    statements.map(({ listing }) => listing.row.source),
    statements.map(({ stated }) => stated),
  ]);
}
