import type pg from 'pg';
import { CHANGE_CHANNEL } from './change-announcements.ts';
import { openPersistentSession, type PersistentSession } from './persistent-session.ts';
import { isDirectSession } from './with-session.ts';

/**
 * Callbacks for changes. Changes between `onLost` and the next `onReady` may be missed. All times are
 * `performance.now()`.
 */
export interface ChangeListener {
  /** Called when the subscription is ready. All changes committed after this time will be reported. */
  onReady(since: number): void;
  /** Called when all changes committed before this time have been reported. */
  onCaughtUp(until: number): void;
  onChange(change: string): void;
  onLost(): void;
}

const RECONNECT_MS = 200;
/** Delay before the next attempt behind a pooler or on a standby, because neither changes soon. */
const ASK_AGAIN_MS = 10_000;

/**
 * Subscribes to all committed changes of the directory with LISTEN on a dedicated session. `onCaughtUp` reports the
 * time up to which changes are complete. When `confirm` of the returned session passes `true`, all changes committed
 * before that call have been reported. Behind a pooler, where LISTEN does not work, the subscription never becomes
 * ready.
 */
export function listenForChanges(
  url: string,
  listener: ChangeListener,
  confirmMs?: number,
): PersistentSession {
  let since = 0;
  return openPersistentSession({
    url,
    applicationName: 'trust-directory changes',
    probe: requireOwnSession,
    async begin(session, isCurrent) {
      session.on('notification', ({ payload = '' }) => isCurrent() && listener.onChange(payload));
      since = performance.now();
      await session.query(`LISTEN ${CHANGE_CHANNEL}`);
    },
    onReady: () => listener.onReady(since),
    onAnswer: (askedAt) => listener.onCaughtUp(askedAt),
    onLost: () => listener.onLost(),
    reconnectDelayMs: (error) => (error instanceof NotOurs ? ASK_AGAIN_MS : RECONNECT_MS),
    confirmMs,
  });
}

class NotOurs extends Error {}

/** Throws if the server is a standby, or if a pooler, which changes server processes, is in between. */
async function requireOwnSession(session: pg.Client): Promise<void> {
  const { rows } = await session.query('SELECT pg_backend_pid() AS id, pg_is_in_recovery() AS standby');
  if (!isDirectSession(session, rows[0]?.id) || rows[0]?.standby) throw new NotOurs();
}
