import type { Connection } from '../../database/connect.ts';
import { listingWords } from './search-words.ts';
import { DISPLACE_LISTINGS, LOCK_SUBJECTS, SAVE_WORDS, SEARCHABLE } from './write-listings.sql.ts';

/**
 * Takes its name from a listing whose repository the name no longer leads to. Its new name is unknown: until a source
 * tells it, it is listed as `owner/name~<repository id>`, which no host allows as a name.
 */
export async function displaceListings(connection: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await connection.query(DISPLACE_LISTINGS, [ids]);
}

/** Locks existing subjects in the order of their ids, as every batch does, so that two never wait in a circle. */
export async function lockSubjects(connection: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await connection.query(LOCK_SUBJECTS, [ids]);
}

interface Searchable {
  id: string;
  texts: (string | null)[];
}

/** Makes listings findable by their present names and those of their creators. */
export async function refreshSearch(connection: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const listings = await connection.query<Searchable>(SEARCHABLE, [ids]);
  const records = listings.map(({ id, texts }) => ({ id, words: listingWords(texts) }));
  await connection.query(SAVE_WORDS, [JSON.stringify(records)]);
}
