import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../src/platform/database/connect.ts';

const POLL_MS = 5;

/**
 * Waits until a session (or several) of the test's database waits for a lock, or until the work that should block has
 * ended; the test's assertions then distinguish both. Replaces a sleep, which a loaded machine outlasts.
 */
export async function untilBlocked(database: Database, work: Promise<unknown>, sessions = 1): Promise<void> {
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  work.then(end, end);
  while (!hasEnded && (await countBlocked(database)) < sessions) await sleep(POLL_MS);
}

async function countBlocked(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}
