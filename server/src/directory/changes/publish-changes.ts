import type { Connection, Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import {
  clearFeed,
  deleteOldWatermarks,
  deleteUnreachable,
  readFeedState,
  writeWatermark,
} from './change.queries.ts';

/**
 * Publishes the changes of all transactions that ended before the oldest open one began: writes a watermark if there are
 * any. Without the horizon, `feed-under-load.db.test.ts` fails; without the check of watermarks, `change-feed.db.test.ts`.
 * Starts the feed anew in a database that was restored from another cluster. Returns the number of watermarks written.
 */
export async function publishChanges(database: Database): Promise<number> {
  const { isOwn, isDue } = await readFeedState(database);
  if (isOwn === false) await inTransaction(database, clearFeed);
  else if (!isDue) return 0;
  await writeWatermark(database);
  return 1;
}

/** Publishes changes as a background job. Reports no count, because a log line a second would say nothing. */
export async function publishAsJob(database: Database): Promise<number> {
  await publishChanges(database);
  return 0;
}

/** Deletes changes that were published more than `days` ago. Returns their number. */
export async function deleteOldChanges(connection: Connection, days: number): Promise<number> {
  await deleteOldWatermarks(connection, days);
  let deleted = 0;
  for (;;) {
    const rows = await deleteUnreachable(connection);
    if (rows === 0) return deleted;
    deleted += rows;
  }
}
