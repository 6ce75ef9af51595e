import type { Connection } from '../../database/connect.ts';
import { type ListingTexts, listingWords, spellingsOf } from './listing-words.ts';
import {
  CHECK_OWNERS,
  DISPLACE_LISTINGS,
  EARLIER_WORDS,
  LOCK_SUBJECTS,
  SAVE_SPELLINGS,
  SAVE_WORDS,
  SEARCHABLE,
} from './write-listings.sql.ts';

/**
 * Takes its name from a listing whose repository the name no longer leads to. Its new name is unknown: until a source
 * tells it, it is listed as `owner/name~<repository id>`, which no host allows as a name.
 */
export async function displaceListings(connection: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await connection.query(DISPLACE_LISTINGS, [ids]);
}

/** Has the owners of new listings read at once, where an account has proved the handle that they bear. */
export async function checkOwners(connection: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await connection.query(CHECK_OWNERS, [ids]);
}

/** Locks existing subjects in the order of their ids, as every batch does, so that two never wait in a circle. */
export async function lockSubjects(connection: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await connection.query(LOCK_SUBJECTS, [ids]);
}

interface Searchable extends ListingTexts {
  id: string;
}

/** Makes listings findable by their present names and those of their creators. */
export async function refreshSearch(connection: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const listings = await connection.query<Searchable>(SEARCHABLE, [ids]);
  const records = listings.map((listing) => ({ id: listing.id, words: listingWords(listing) }));
  await connection.query(SAVE_WORDS, [JSON.stringify(records)]);
  await saveSpellings(connection, records);
}

/** Makes what somebody mistypes lead to the names and tags of these listings. */
export async function saveSpellings(
  connection: Connection,
  listings: readonly { words: readonly string[] }[],
): Promise<void> {
  const spellings = spellingsOf(listings.flatMap(({ words }) => words));
  if (spellings.length > 0) await connection.query(SAVE_SPELLINGS, [spellings]);
}

/** Listings whose words are of an earlier form, at most so many; nobody else changes them until this transaction ends. */
export async function findEarlierWords(connection: Connection, most: number): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(EARLIER_WORDS, [most]);
  return rows.map(({ id }) => id);
}
