import type { Connection } from '../../database/connect.ts';
import type { PlacedRow } from '../../database/read-together.ts';
import { findMarks, type MarkRow } from './listing-marks.repository.ts';

/** A listing that a mark of another one names. */
interface MarkedListing {
  id: string;
  agentId: string;
  type: 'agent' | 'skill';
  name: string;
  /** `owner/name`. */
  repository: string;
  /** The kind of the relation that says so, such as `probable_rename_to`. */
  relation: string;
  /** A source says it; false where it was inferred. */
  stated: boolean;
}

/** What a row of a list has to say of a listing, beside what it is. */
export interface ListingMarks {
  /** The listing of the same repository under its newest name: this one has the old name. */
  newer: MarkedListing | null;
  /** Listings under old names of this one, at most three. */
  older: MarkedListing[];
  /** The listing that this whole repository is a copy of. */
  copyOf: MarkedListing | null;
}

/** The marks of those of these listings that have any, by id. */
export async function loadListingMarks(
  connection: Connection,
  listingIds: readonly string[],
): Promise<Map<string, ListingMarks>> {
  const ids = [...new Set(listingIds)];
  const found = await Promise.all(ids.map((id) => findMarks(connection, { id })));
  return new Map(ids.flatMap((id, place) => marked(id, found[place] ?? [])));
}

function marked(id: string, rows: readonly PlacedRow<MarkRow>[]): [id: string, marks: ListingMarks][] {
  if (rows.length === 0) return [];
  const marks: ListingMarks = { newer: null, older: [], copyOf: null };
  for (const { n: _place, mark, ...listing } of rows) {
    if (mark === 'newer') marks.newer = listing;
    else if (mark === 'older') marks.older.push(listing);
    else marks.copyOf = listing;
  }
  return [[id, marks]];
}
