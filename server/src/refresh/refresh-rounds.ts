import { HostRests } from './host-rests.ts';
import { countRecentChecks } from './refresh.repository.ts';
import type { RefreshParts } from './refresh-listing.ts';
import { enrolReadableHosts, refreshListings } from './refresh-run.ts';

/** One round a minute. */
export const REFRESH_PERIOD_MS = 60_000;
const ROUNDS_PER_HOUR = 60;

/**
 * Makes the rounds that a server refreshes listings in: each reads a minute's share of the hourly number, and less where
 * all processes together have reached it. Hosts that ask for a rest get it across rounds; new listings are found hourly.
 */
export function createRefreshRounds(parts: RefreshParts, perHour: number, signal: AbortSignal) {
  const rests = new HostRests();
  let readable: readonly string[] = [];
  let rounds = 0;
  return async (): Promise<number> => {
    if (rounds % ROUNDS_PER_HOUR === 0) readable = await enrolReadableHosts(parts.database, parts.hosts);
    rounds += 1;
    const left = perHour - (await countRecentChecks(parts.database));
    const limit = Math.min(left, Math.ceil(perHour / ROUNDS_PER_HOUR));
    if (limit <= 0 || readable.length === 0) return 0;
    const { outcomes } = await refreshListings(parts, readable, { signal, limit, rests });
    return Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  };
}
