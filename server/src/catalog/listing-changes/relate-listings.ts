import type { Connection } from '../../platform/database/connect.ts';
import { refreshVerifiedListings } from '../creators/verified.ts';
import { childrenOf } from '../listings/listing.queries.ts';
import {
  artifactsInside,
  packageClaimants,
  refreshArtifactAliases,
  refreshListingAliases,
} from '../listings/listing-aliases.ts';
import type { Renames } from '../listings/listing-names.ts';
import type { SavedListing } from '../listings/listing-row.ts';
import { type DecidedPackages, decidePackages } from '../packages/decide-packages.ts';
import { refreshOfficialMakers } from '../packages/refresh-official-makers.ts';
import { updateParents } from '../relations/lineage-edges.ts';
import { linkMissingEnds, saveOwnStatements } from '../relations/relation-ends.ts';
import { BUILT_IN_HOSTS } from '../subjects/public-path.ts';
import { isPlaceholder } from './match-listings.ts';

/** Former repository names that this batch adds to listings, by listing id. */
type FormerNames = ReadonlyMap<string, readonly string[]>;

/**
 * Ids of other listings and artifacts that must be scored again after listings were stored. `dueByLineage` has listings
 * whose parent is another one or was updated.
 */
export interface Consequences {
  due: string[];
  dueByLineage: string[];
}

/**
 * Updates what depends on the names of stored listings: decides their packages and verified flags again, stores their
 * aliases, completes relations that named them before they were listed, and chooses parents again. The caller has
 * called lockRegistry or lockKeys.
 */
export async function relateListings(
  connection: Connection,
  listings: readonly SavedListing[],
  renames: Renames,
): Promise<Consequences> {
  const { storeAliases, ...consequences } = await relateWithoutAliases(connection, listings, renames);
  await storeAliases();
  return consequences;
}

/**
 * Does the same as `relateListings`, but returns a function that stores the aliases. The caller must call that
 * function in the same transaction.
 */
export async function relateWithoutAliases(
  connection: Connection,
  listings: readonly SavedListing[],
  renames: Renames,
): Promise<Consequences & { storeAliases: () => Promise<void> }> {
  if (listings.length === 0) return { due: [], dueByLineage: [], storeAliases: async () => undefined };
  const former = formerNames(listings);
  const own = new Set(listings.map(({ id }) => id));
  // A listing that lost its name also loses the packages that were confirmed for this name.
  const renewed = [...own, ...listings.flatMap(({ displaced }) => displaced?.id ?? [])];
  const judged = await decidePackages(connection, renewed);
  const made = await refreshOfficialMakers(connection, renewed);
  const { sharingPackages, storeAliases } = await prepareAliases(connection, listings, former, judged);
  // A row may name another row of the batch as its parent or newer name, so store aliases first.
  const named = listings.some(({ row }) => row.parentRepository !== null || row.probablyRenamedTo !== null);
  if (named) await storeAliases();
  const linked = await linkMissingEnds(connection, newNames(listings, former));
  const stating = await saveOwnStatements(connection, listings, renames);
  const { changed } = await updateParents(connection, [...new Set([...linked, ...stating])]);
  await refreshVerifiedListings(connection, [...new Set([...own, ...former.keys()])]);
  const updated = listings.flatMap(({ id, before }) => (before === null ? [] : [id]));
  const displaced = made.filter((id) => !own.has(id));
  const inside = await artifactsInside(connection, [...updated, ...sharingPackages, ...displaced]);
  const children = await childrenOf(connection, updated);
  return {
    due: [...new Set([...sharingPackages, ...displaced, ...inside])],
    dueByLineage: [...changed, ...children].filter((id) => !own.has(id)),
    storeAliases: named ? async () => undefined : storeAliases,
  };
}

/**
 * Collects former names of listings: names that the row states as former, the stored name of a repository that now has
 * another name under the same id, and names that another repository has taken.
 */
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

/**
 * Returns a function that stores the aliases. Also returns the other listings that claim one of the same packages,
 * because the package may become ambiguous or unambiguous for them, too.
 */
async function prepareAliases(
  connection: Connection,
  listings: readonly SavedListing[],
  former: FormerNames,
  judged: DecidedPackages,
): Promise<{ sharingPackages: string[]; storeAliases: () => Promise<void> }> {
  const packages = listings.flatMap(({ row, before }) => (before === null ? [row] : [row, before]));
  const claimants = await packageClaimants(connection, {
    npm: [...packages.flatMap(({ npmPackage }) => npmPackage ?? []), ...judged.names.npm],
    pypi: [...packages.flatMap(({ pypiPackage }) => pypiPackage ?? []), ...judged.names.pypi],
  });
  const own = new Set(listings.map(({ id }) => id));
  const others = new Set([...claimants.listings, ...judged.changed]);
  const sharingPackages = [...others].filter((id) => !own.has(id));
  const storeAliases = async () => {
    await refreshListingAliases(
      connection,
      [...new Set([...own, ...former.keys(), ...sharingPackages])],
      former,
    );
    const inside = await artifactsInside(connection, [...former.keys()]);
    await refreshArtifactAliases(connection, [...new Set([...inside, ...claimants.artifacts])]);
  };
  return { sharingPackages, storeAliases };
}

function newNames(listings: readonly SavedListing[], former: FormerNames) {
  const place = ({ row }: SavedListing) => (BUILT_IN_HOSTS as readonly string[]).indexOf(row.host);
  // Relations name no host. If several hosts have the repository, the first one in the order of hosts wins; unknown
  // hosts come last.
  const byHost = [...listings].sort((a, b) => (place(a) >>> 0) - (place(b) >>> 0));
  return byHost.flatMap(({ id, row }) =>
    [row.repository, ...(former.get(id) ?? [])].map((repository) => ({ id, repository })),
  );
}
