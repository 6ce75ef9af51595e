import type { Connection } from '../database/connect.ts';
import { reapDue } from './reap.ts';

export interface Reaper {
  /** Stops after the round under way. */
  stop(): Promise<void>;
}

interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Reaps every `periodMs` with up to a fifth of jitter, so that processes spread; a failed round is only logged. */
export function startReaper(connection: Connection, periodMs: number, log: Log): Reaper {
  let stopped = false;
  let timer: NodeJS.Timeout;
  let round: Promise<void> = Promise.resolve();

  async function reapOnce(): Promise<void> {
    try {
      const reaped = await reapDue(connection);
      if (reaped > 0) log.info({ reaped }, 'reversed runs whose lease was over');
    } catch (error) {
      // The rows stay due; the next round, or another process, takes them.
      log.warn({ reason: (error as Error).name }, 'reaping failed, trying again');
    }
    schedule();
  }

  function schedule(): void {
    if (stopped) return;
    timer = setTimeout(
      () => {
        round = reapOnce();
      },
      periodMs * (0.8 + 0.2 * Math.random()),
    );
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
