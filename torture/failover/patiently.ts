import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena } from '../arena.ts';

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

const START_MS = 120_000;

/** Makes an arena whose servers are started again where a start fails: on a busy machine one may not reach its database in time. */
export function patientServers<Parts extends Pick<Arena, 'server'>>(arena: Parts): Parts {
  return { ...arena, server: (...of) => patiently(() => arena.server(...of), START_MS) };
}
