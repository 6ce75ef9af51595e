import type { IndexedRow } from '../../platform/batching/batched-read.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { type FlagRow, findFlags } from './lineage-edges.queries.ts';

/** A listing that a flag refers to. */
interface FlaggedListing {
  id: string;
  agentId: string;
  type: 'agent' | 'skill';
  name: string;
  /** Repository in the form `owner/name`. */
  repository: string;
  /** Type of the relation, such as `probable_rename_to`. */
  relation: string;
  /** True if a source states it; false if inferred. */
  stated: boolean;
}

/** Flags of a list entry that come from relations. */
export interface ListingFlags {
  /** Listing of the same repository under its newest name, if this one has an older name. */
  newer: FlaggedListing | null;
  /** Listings of the same repository under older names, at most three. */
  older: FlaggedListing[];
  /** Listing that this whole repository is a copy of. */
  copyOf: FlaggedListing | null;
}

/** Loads the flags of these listings, by id. Listings without flags have no entry. */
export async function loadListingFlags(
  connection: Connection,
  listingIds: readonly string[],
): Promise<Map<string, ListingFlags>> {
  const ids = [...new Set(listingIds)];
  const found = await Promise.all(ids.map((id) => findFlags(connection, { id })));
  return new Map(ids.flatMap((id, place) => marked(id, found[place] ?? [])));
}

function marked(id: string, rows: readonly IndexedRow<FlagRow>[]): [id: string, marks: ListingFlags][] {
  if (rows.length === 0) return [];
  const marks: ListingFlags = { newer: null, older: [], copyOf: null };
  for (const { n: _place, mark, ...listing } of rows) {
    if (mark === 'newer') marks.newer = listing;
    else if (mark === 'older') marks.older.push(listing);
    else marks.copyOf = listing;
  }
  return [[id, marks]];
}
