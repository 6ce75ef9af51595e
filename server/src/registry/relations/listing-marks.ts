import type { Connection } from '../../database/connect.ts';
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

const SHOWN_OLDER = 3;

/** The marks of those of these listings that have any, by id, in one statement. */
export async function loadListingMarks(
  connection: Connection,
  listingIds: readonly string[],
): Promise<Map<string, ListingMarks>> {
  if (listingIds.length === 0) return new Map();
  const marks = new Map<string, ListingMarks>();
  for (const row of await findMarks(connection, listingIds, SHOWN_OLDER)) {
    const of: ListingMarks = marks.get(row.asked) ?? { newer: null, older: [], copyOf: null };
    if (row.mark === 'newer') of.newer = toMarked(row);
    else if (row.mark === 'older') of.older.push(toMarked(row));
    else of.copyOf = toMarked(row);
    marks.set(row.asked, of);
  }
  return marks;
}

function toMarked({ asked: _asked, mark: _mark, ...listing }: MarkRow): MarkedListing {
  return listing;
}
