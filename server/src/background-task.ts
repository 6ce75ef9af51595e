/** Work that goes on beside the requests. */
export interface BackgroundTask {
  /** Stops after the round under way. */
  stop(): Promise<void>;
}

interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Limits of a task's rounds; each has a default. */
export interface RoundLimits {
  /** A round that takes longer counts as failed, and is waited for no longer. */
  readonly deadlineMs?: number;
  /** Longest pause after rounds that failed one after the other; by default ten periods, and no more than a minute. */
  readonly longestPauseMs?: number;
}

/** Rounds of a few statements take seconds; an hour is for what asks other systems of many entries. */
const DEADLINE_MS = 3_600_000;
const LONGEST_PAUSE_MS = 60_000;
const MOST_PERIODS = 10;
const LONGEST_MESSAGE = 300;
/** A password in an address, as node-postgres and URL errors may quote it. */
const IN_ADDRESS = /\/\/[^/\s@]*@/g;
/** Values after names that secrets have. */
const NAMED_SECRET = /((?:password|secret|token|authorization)["']?\s*[=:]\s*)\S+/gi;

class RoundTooLong extends Error {
  override readonly name = 'RoundTooLong';
}

/**
 * Repeats a round of work every `periodMs`, with up to a fifth of jitter so that processes spread; answers of a round above
 * zero are logged. After a round that failed the pause doubles, up to `longestPauseMs`: whatever is due stays due for the next
 * round, or another process. A round that never ends does not end the task: the next one begins after its deadline, and both
 * may work at once, as those of two processes do.
 */
export function repeat(
  name: string,
  periodMs: number,
  work: () => Promise<number>,
  log: Log,
  {
    deadlineMs = DEADLINE_MS,
    longestPauseMs = Math.min(MOST_PERIODS * periodMs, LONGEST_PAUSE_MS),
  }: RoundLimits = {},
): BackgroundTask {
  let stopped = false;
  let failures = 0;
  let timer: NodeJS.Timeout;
  let round: Promise<void> = Promise.resolve();

  async function runOnce(): Promise<void> {
    try {
      const count = await within(deadlineMs, work());
      failures = 0;
      if (count > 0) log.info({ task: name, count }, 'background work done');
    } catch (error) {
      failures += 1;
      const fields = { task: name, failure: (error as Error).name, reason: reasonOf(error), failures };
      log.warn(fields, 'background work failed, trying again');
    }
    schedule();
  }

  function schedule(): void {
    if (stopped) return;
    const start = () => {
      round = runOnce();
    };
    const pauseMs = Math.min(periodMs * 2 ** Math.min(failures, 20), Math.max(periodMs, longestPauseMs));
    timer = setTimeout(start, pauseMs * (0.8 + 0.2 * Math.random()));
    timer.unref();
  }

  schedule();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}

async function within(deadlineMs: number, work: Promise<number>): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    const error = new RoundTooLong(`The round has not ended within ${deadlineMs / 1_000} s.`);
    timer = setTimeout(reject, deadlineMs, error);
    timer.unref();
  });
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the first line of an error's message with its code, without what looks like a secret. */
function reasonOf(error: unknown): string {
  const { message } = error as Error;
  // Sequelize keeps the driver's error, which has the code, under `parent`.
  const { code } = ((error as { parent?: unknown }).parent ?? error) as { code?: unknown };
  const [line = ''] = String(message ?? error).split('\n');
  const text = line.replace(IN_ADDRESS, '//…@').replace(NAMED_SECRET, '$1…').slice(0, LONGEST_MESSAGE);
  return typeof code === 'string' ? `${text} (${code})` : text;
}
