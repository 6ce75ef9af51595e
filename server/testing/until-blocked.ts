import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../src/database/connect.ts';

const POLL_MS = 5;

/**
 * Resolves once one session of the test's database (or more) waits for a lock, or once the work that should wait has ended
 * without: what the test asserts then tells which. In place of a sleep, which a loaded machine outlasts.
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
