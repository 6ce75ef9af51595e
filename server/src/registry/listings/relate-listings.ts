import type { Connection } from '../../database/connect.ts';
import { REPOSITORY_HOSTS } from '../../subjects/naming.ts';
import { refreshVerifiedListings } from '../creators/verified.ts';
import { updateParents } from '../relations/lineage-edges.ts';
import { linkMissingEnds, saveOwnStatements } from '../relations/relation-ends.ts';
import type { SavedListing } from './apply-rows.ts';
import { childrenOf } from './listing.repository.ts';
import {
  artifactsInside,
  namersOf,
  refreshArtifactAliases,
  refreshListingAliases,
} from './listing-aliases.ts';
import type { Renames } from './listing-names.ts';
import { isPlaceholder } from './match-listings.ts';

/** Former names that listings got with a batch, by id. */
type FormerNames = ReadonlyMap<string, readonly string[]>;

/** What others notice of listings that were just stored: by id, listings and artifacts whose facts changed with them. */
export interface Consequences {
  due: string[];
  dueByLineage: string[];
}

/**
 * After listings were stored: every name leads to them, relations that waited for them get their ends, and parents are
 * chosen again. The caller has called lockLineage.
 */
export async function relateListings(
  connection: Connection,
  listings: readonly SavedListing[],
  renames: Renames,
): Promise<Consequences> {
  const { giveNames, ...consequences } = await relateUnnamed(connection, listings, renames);
  await giveNames();
  return consequences;
}

/** The same, but for the names, which the caller gives at once: in the same transaction, beside what needs none. */
export async function relateUnnamed(
  connection: Connection,
  listings: readonly SavedListing[],
  renames: Renames,
): Promise<Consequences & { giveNames: () => Promise<void> }> {
  if (listings.length === 0) return { due: [], dueByLineage: [], giveNames: async () => undefined };
  const former = formerNames(listings);
  const { sharers, giveNames } = await renewNames(connection, listings, former);
  // What a row says of its parent or of its newest name may name another row of the batch.
  const named = listings.some(({ row }) => row.parentRepository !== null || row.probablyRenamedTo !== null);
  if (named) await giveNames();
  const linked = await linkMissingEnds(connection, newNames(listings, former));
  const stating = await saveOwnStatements(connection, listings, renames);
  const { changed } = await updateParents(connection, [...new Set([...linked, ...stating])]);
  const own = new Set(listings.map(({ id }) => id));
  await refreshVerifiedListings(connection, [...new Set([...own, ...former.keys()])]);
  const updated = listings.flatMap(({ id, before }) => (before === null ? [] : [id]));
  const inside = await artifactsInside(connection, [...updated, ...sharers]);
  const children = await childrenOf(connection, updated);
  return {
    due: [...sharers, ...inside],
    dueByLineage: [...changed, ...children].filter((id) => !own.has(id)),
    giveNames: named ? async () => undefined : giveNames,
  };
}

/** Stated by the row, observed by the repository's id, or lost to another repository. */
function formerNames(listings: readonly SavedListing[]): FormerNames {
  const former = new Map<string, string[]>();
  const add = (id: string, names: readonly string[]) => former.set(id, [...(former.get(id) ?? []), ...names]);
  for (const { id, row, before, displaced } of listings) {
    if (displaced !== null) add(displaced.id, [displaced.repository]);
    const old = before !== null && isRenamed(before.repository, row.repository) ? [before.repository] : [];
    const names = [...row.formerRepositories, ...old];
    if (names.length > 0) add(id, names);
  }
  return former;
}

function isRenamed(before: string, now: string): boolean {
  return before.toLowerCase() !== now.toLowerCase() && !isPlaceholder(before);
}

/** Answers the other listings that name one of the same packages, which is theirs alone no longer, or again. */
async function renewNames(
  connection: Connection,
  listings: readonly SavedListing[],
  former: FormerNames,
): Promise<{ sharers: string[]; giveNames: () => Promise<void> }> {
  const packages = listings.flatMap(({ row, before }) => (before === null ? [row] : [row, before]));
  const namers = await namersOf(connection, {
    npm: packages.flatMap(({ npmPackage }) => npmPackage ?? []),
    pypi: packages.flatMap(({ pypiPackage }) => pypiPackage ?? []),
  });
  const own = new Set(listings.map(({ id }) => id));
  const sharers = namers.listings.filter((id) => !own.has(id));
  const giveNames = async () => {
    await refreshListingAliases(connection, [...new Set([...own, ...former.keys(), ...sharers])], former);
    const inside = await artifactsInside(connection, [...former.keys()]);
    await refreshArtifactAliases(connection, [...new Set([...inside, ...namers.artifacts])]);
  };
  return { sharers, giveNames };
}

function newNames(listings: readonly SavedListing[], former: FormerNames) {
  const place = ({ row }: SavedListing) => (REPOSITORY_HOSTS as readonly string[]).indexOf(row.host);
  // Relations state no host: the foremost one is meant, and hosts outside of the order come last.
  const byHost = [...listings].sort((a, b) => (place(a) >>> 0) - (place(b) >>> 0));
  return byHost.flatMap(({ id, row }) =>
    [row.repository, ...(former.get(id) ?? [])].map((repository) => ({ id, repository })),
  );
}
