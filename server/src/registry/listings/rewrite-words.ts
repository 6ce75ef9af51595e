import type { Database } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';
import { findEarlierWords, refreshSearch } from './write-listings.ts';

const AT_ONCE = 500;

/** Writes the words of listings from before words said where they stand anew, a few at a time; answers how many. */
export async function rewriteWords(database: Database, stopping: AbortSignal): Promise<number> {
  let written = 0;
  while (!stopping.aborted) {
    const ids = await inTransaction(database, async (connection) => {
      const earlier = await findEarlierWords(connection, AT_ONCE);
      await refreshSearch(connection, earlier);
      return earlier;
    });
    written += ids.length;
    if (ids.length < AT_ONCE) break;
  }
  return written;
}
