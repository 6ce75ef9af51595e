import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena } from '../arena.ts';

const BETWEEN_MS = 500;

/**
 * Runs a step of the set-up and retries it while it fails: a cluster that has just started may change its leader, and the
 * balancer then ends sessions. Rejects with the last error after the time limit. The step must be safe to repeat.
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

const START_MS = 120_000;

/**
 * Wraps an arena so that a failed start of a server is retried: on a busy machine a server may not reach its database
 * in time.
 */
export function patientServers<Parts extends Pick<Arena, 'server'>>(arena: Parts): Parts {
  return { ...arena, server: (...of) => patiently(() => arena.server(...of), START_MS) };
}
