/** Work that goes on beside the requests. */
export interface BackgroundTask {
  /** Stops after the round under way. */
  stop(): Promise<void>;
}

interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/**
 * Repeats a round of work every `periodMs`, with up to a fifth of jitter so that processes spread; answers of a round
 * above zero are logged. A failed round is only logged: whatever is due stays due for the next one, or another process.
 */
export function repeat(
  name: string,
  periodMs: number,
  work: () => Promise<number>,
  log: Log,
): BackgroundTask {
  let stopped = false;
  let timer: NodeJS.Timeout;
  let round: Promise<void> = Promise.resolve();

  async function runOnce(): Promise<void> {
    try {
      const count = await work();
      if (count > 0) log.info({ task: name, count }, 'background work done');
    } catch (error) {
      log.warn({ task: name, failure: (error as Error).name }, 'background work failed, trying again');
    }
    schedule();
  }

  function schedule(): void {
    if (stopped) return;
    const start = () => {
      round = runOnce();
    };
    timer = setTimeout(start, periodMs * (0.8 + 0.2 * Math.random()));
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
