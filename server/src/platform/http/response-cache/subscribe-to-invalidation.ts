import { type ChangeListener, listenForChanges } from '../../database/listen-for-changes.ts';
import type { ResponseCache } from './response-cache.ts';

/** Time in milliseconds for which cached responses are served after the last heartbeat of the LISTEN connection. */
const STALE_AFTER_MS = 900;

interface InvalidationOptions {
  readonly staleAfterMs?: number | undefined;
  /** Maximum wait for invalidations in milliseconds. After that, the request reads the database. */
  readonly confirmMs?: number | undefined;
}

/**
 * Subscribes the cache to invalidations by other processes, and disables it while they may be missed. A cache hit first
 * waits until all changes committed before the request are processed. No process therefore serves data that a client
 * knows to be outdated, and writers wait for no reader. After a reconnect, which may lead to another server, the read
 * sessions are renewed. With 32 connections, the wait does not change the responses per second (1.0 ×, `npm run bench
 * -- freshness`). Without the wait, `late-invalidation.long.test.ts` fails.
 */
export function subscribeToInvalidation(
  databaseUrl: string,
  cache: ResponseCache,
  reads: { renewSessions(): void },
  { staleAfterMs = STALE_AFTER_MS, confirmMs }: InvalidationOptions = {},
): { stop(): Promise<void> } {
  const listener: ChangeListener = {
    onReady(since) {
      reads.renewSessions();
      cache.open(since + staleAfterMs);
    },
    onCaughtUp: (until) => cache.extend(until + staleAfterMs),
    onChange: (change) => cache.invalidate(change),
    onLost: () => cache.close(),
  };
  const listening = listenForChanges(databaseUrl, listener, confirmMs);
  cache.waitForInvalidations = listening.confirm;
  return listening;
}
