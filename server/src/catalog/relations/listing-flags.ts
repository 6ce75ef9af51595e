import type { Connection } from '../../platform/database/connect.ts';
import { findFlags } from './lineage-edges.queries.ts';
import type { FlaggedListing, FlagRow } from './listing-flags.fragment.ts';

/**
 * Flags of a listing: other listings of the same repository, and the listing that it copies. They come from relations.
 */
export interface ListingFlags {
  /** Listing of the same repository under its newest name, if this listing has an older name; otherwise null. */
  newer: FlaggedListing | null;
  /** Listings of the same repository under older names, at most three. */
  older: FlaggedListing[];
  /** Listing of which this whole repository is a copy; null if it is no copy. */
  copyOf: FlaggedListing | null;
}

/** Loads the flags of these listings, by id. Listings without flags have no entry. */
export async function loadListingFlags(
  connection: Connection,
  listingIds: readonly string[],
): Promise<Map<string, ListingFlags>> {
  const ids = [...new Set(listingIds)];
  const found = await Promise.all(ids.map((id) => findFlags(connection, { id })));
  const flags = found.map((rows) => toListingFlags(rows.map(({ n: _n, ...row }) => row)));
  return new Map(ids.flatMap((id, place) => (flags[place] ? [[id, flags[place]] as const] : [])));
}

/** Returns the flags of one listing from its rows, which are in FLAG_ORDER; null if there are none. */
export function toListingFlags(rows: readonly FlagRow[]): ListingFlags | null {
  if (rows.length === 0) return null;
  const flags: ListingFlags = { newer: null, older: [], copyOf: null };
  for (const { mark, ...listing } of rows) {
    if (mark === 'newer') flags.newer = listing;
    else if (mark === 'older') flags.older.push(listing);
    else flags.copyOf = listing;
  }
  return flags;
}
