import type { Connection } from '../database/connect.ts';

/** Background job that runs periodically. */
export interface BackgroundJob {
  /** Stops after the current run. */
  stop(): Promise<void>;
}

interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Limits of a job's runs; each has a default. */
export interface JobLimits {
  /** Time after which a run counts as failed and is no longer awaited. */
  readonly deadlineMs?: number;
  /** Maximum pause after consecutive failures. The default is ten periods, but at most a minute. */
  readonly longestPauseMs?: number;
}

/**
 * Default deadline in milliseconds: one hour. Most runs take seconds; jobs that read many entries from other systems
 * take longer.
 */
const DEADLINE_MS = 3_600_000;
const LONGEST_PAUSE_MS = 60_000;
const MOST_PERIODS = 10;
const LONGEST_MESSAGE = 300;
/** Matches user name and password in a URL, which node-postgres and URL errors may quote. */
const IN_ADDRESS = /\/\/[^/\s@]*@/g;
/** Matches values after names of secrets. */
const NAMED_SECRET = /((?:password|secret|token|authorization)["']?\s*[=:]\s*)(?:(?:Bearer|Basic)\s+)?\S+/gi;

class JobDeadlineExceededError extends Error {
  override readonly name = 'JobDeadlineExceededError';
}

/**
 * Runs a job again and again, with a pause of `periodMs` before each run. Shortens each pause by up to 20% at random,
 * so that the runs of several processes spread out. Logs the number that `work` returns if it is above zero. After a
 * failure the pause doubles, up to `longestPauseMs`: pending work waits for the next run or another process. A run that
 * never ends does not stop the job: the next run starts after the deadline. Both runs may then overlap, like runs of
 * two processes. Without longer pauses, `background-job.test.ts` fails.
 */
export function schedule(
  name: string,
  periodMs: number,
  work: () => Promise<number>,
  log: Log,
  {
    deadlineMs = DEADLINE_MS,
    longestPauseMs = Math.min(MOST_PERIODS * periodMs, LONGEST_PAUSE_MS),
  }: JobLimits = {},
): BackgroundJob {
  let stopped = false;
  let failures = 0;
  let timer: NodeJS.Timeout;
  let current: Promise<void> = Promise.resolve();

  async function runOnce(): Promise<void> {
    try {
      const count = await within(deadlineMs, work());
      failures = 0;
      if (count > 0) log.info({ task: name, count }, 'background work done');
    } catch (error) {
      failures += 1;
      const fields = { task: name, failure: (error as Error).name, reason: reasonOf(error), failures };
      log.warn(fields, 'background work failed, will retry');
    }
    scheduleNext();
  }

  function scheduleNext(): void {
    if (stopped) return;
    const start = () => {
      current = runOnce();
    };
    const pauseMs = Math.min(periodMs * 2 ** Math.min(failures, 20), Math.max(periodMs, longestPauseMs));
    timer = setTimeout(start, pauseMs * (0.8 + 0.2 * Math.random()));
    timer.unref();
  }

  scheduleNext();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}

async function within(deadlineMs: number, work: Promise<number>): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    const error = new JobDeadlineExceededError(`The job has not finished within ${deadlineMs / 1_000} s.`);
    timer = setTimeout(reject, deadlineMs, error);
    timer.unref();
  });
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the first line of an error's message with the error's code. Leaves out user names and passwords in URLs, and
 * values after names of secrets.
 */
function reasonOf(error: unknown): string {
  const { message } = error as Error;
  // Sequelize stores the driver's error, which has the code, under `parent`.
  const { code } = ((error as { parent?: unknown }).parent ?? error) as { code?: unknown };
  const [line = ''] = String(message ?? error).split('\n');
  const text = line.replace(IN_ADDRESS, '//…@').replace(NAMED_SECRET, '$1…').slice(0, LONGEST_MESSAGE);
  return typeof code === 'string' ? `${text} (${code})` : text;
}

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
