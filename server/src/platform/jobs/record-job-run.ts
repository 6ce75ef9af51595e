import type { Connection } from '../database/connect.ts';

/** Jobs whose last run is stored. */
export type RecordedJob = 'import' | 'refresh';

/** Progress of a run. */
export interface RunOutcome {
  /** Number of listings processed. */
  listings: number;
  /** True if the run has completed all of its work. */
  finished: boolean;
}

const NOTE = `INSERT INTO last_run (work, seconds, finished, listings) VALUES ($1, $2, $3, $4)
ON CONFLICT (work) DO UPDATE SET ended_at = excluded.ended_at, seconds = excluded.seconds, finished = excluded.finished,
  listings = excluded.listings`;

/**
 * Runs a job. Stores when it ended, how long it took and its outcome, even if it fails. The job updates `outcome`
 * while it runs.
 */
export async function recordJobRun<Result>(
  connection: Connection,
  work: RecordedJob,
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
    // If the database itself failed, the outcome cannot be stored, and the original error matters more.
    await note().catch(() => undefined);
    throw error;
  }
}
