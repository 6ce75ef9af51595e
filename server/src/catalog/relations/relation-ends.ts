import type { Connection } from '../../platform/database/connect.ts';
import { findListings, type Renames } from '../listings/listing-names.ts';
import type { ImportedRow, SavedListing } from '../listings/listing-row.ts';
import { REGISTRATION_SOURCE } from './choose-parents.ts';

/**
 * Deletes the relations that the imported rows of these listings stated. Keeps relations that were imported as rows of
 * their own or claimed in this directory.
 */
const WITHDRAW_STATEMENTS = `DELETE FROM relation WHERE from_listing_id = ANY ($1::uuid[]) AND imported IS NULL AND source <> $2`;

/** Inserts a batch of relations that rows of listings state. Existing relations stay unchanged. */
const INSERT_STATEMENTS = `INSERT INTO relation (type, from_repository, to_repository, from_listing_id, to_listing_id, directed, stated, source)
  SELECT type, own, other, own_id, other_id, true, stated, source
  FROM unnest($1::text[], $2::text[], $3::text[], $4::uuid[], $5::uuid[], $6::text[], $7::boolean[])
    AS s(type, own, other, own_id, other_id, source, stated) ON CONFLICT DO NOTHING`;

/**
 * Builds SQL that connects relations with listings, for many names at once. A relation without a listing at its `from`
 * (or `to`) end gets the listing of the repository that this end names.
 */
const linkEnds = (end: 'from' | 'to') =>
  `UPDATE relation r SET ${end}_listing_id = n.id FROM unnest($1::text[], $2::uuid[]) AS n(name, id)
   WHERE r.${end}_listing_id IS NULL AND lower(r.${end}_repository) = n.name RETURNING r.from_listing_id AS child`;

/** A repository name (`owner/name`) that now resolves to a listing. */
export interface NewName {
  id: string;
  repository: string;
}

/**
 * Connects relations to listings if the relations were stored before the repositories that they name were listed.
 * Returns the listings at the `from` ends of these relations, because their parents may change. The caller has locked
 * the names.
 */
export async function linkMissingEnds(connection: Connection, names: readonly NewName[]): Promise<string[]> {
  if (names.length === 0) return [];
  // If several listings have one name, the first one wins. Callers put the listing on the first host first.
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
 * Stores as relations what listing rows state about their parents and newer names, and deletes what they no longer
 * state. Returns the listings whose parents may change.
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

/** Serialises the relations that a listing's row states, to detect changes. */
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

/** Relation between a listing's repository and another one, stated by the listing's row. */
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
