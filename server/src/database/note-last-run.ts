import type { Connection } from './connect.ts';

/** Work that is noted as a whole when it ends. */
export type NotedWork = 'import' | 'refresh';

/** What a run has come to so far. */
export interface RunOutcome {
  /** Listings that it has dealt with. */
  listings: number;
  /** Whether it has done all that it was to do. */
  finished: boolean;
}

const NOTE = `INSERT INTO last_run (work, seconds, finished, listings) VALUES ($1, $2, $3, $4)
ON CONFLICT (work) DO UPDATE SET ended_at = excluded.ended_at, seconds = excluded.seconds, finished = excluded.finished,
  listings = excluded.listings`;

/**
 * Does the work, and notes for operators when it ended, how long it took and what it came to, also where it fails. `outcome`
 * is filled by the work as it goes.
 */
export async function noteLastRun<Result>(
  connection: Connection,
  work: NotedWork,
  run: (outcome: RunOutcome) => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  const outcome = { listings: 0, finished: false };
  const note = () =>
    connection.query(NOTE, [
      work,
      (performance.now() - startedAt) / 1_000,
      outcome.finished,
      outcome.listings,
    ]);
  try {
    const result = await run(outcome);
    await note();
    return result;
  } catch (error) {
    // Where the database is what failed, it can't be told: the failure itself says more.
    await note().catch(() => undefined);
    throw error;
  }
}
