import { setTimeout as sleep } from 'node:timers/promises';

const BETWEEN_MS = 500;

/**
 * Does some work of a set-up, again while it fails: a cluster that has just started may change its leader, and the balancer ends
 * sessions then. Rejects with the last failure when the time is over. The work must do no harm when it is done twice.
 */
export async function patiently<Result>(
  work: () => Promise<Result>,
  limitMs: number,
  betweenMs = BETWEEN_MS,
): Promise<Result> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() >= deadline) throw error;
    }
    await sleep(betweenMs);
  }
}
