import type pg from 'pg';
import { CHANGE_CHANNEL } from './announced-change.ts';
import { type KeptSession, keepSession } from './keep-session.ts';
import { isOwnProcess } from './own-session.ts';

/** Who is told of changes. Between `onLost` and the next `onReady` some may go unheard. Moments are `performance.now()`. */
export interface ChangeHearer {
  /** Every change that is committed from this moment on will be told. */
  onReady(since: number): void;
  /** All that was committed before this moment has been. */
  onHeard(until: number): void;
  onChange(change: string): void;
  onLost(): void;
}

const RECONNECT_MS = 200;
/** Where the address leads to no session of our own, it will not do so soon. */
const ASK_AGAIN_MS = 10_000;

/**
 * Hears of every change of the directory that is committed by anyone, on a session of its own. Until that is found dead,
 * `onHeard` says how far what was heard goes; once `confirm` tells `true`, all is heard that was committed before it was
 * asked. Behind a pooler nothing is heard, since the session is not ours: then never ready.
 */
export function listenForChanges(url: string, hearer: ChangeHearer, confirmMs?: number): KeptSession {
  let since = 0;
  return keepSession({
    url,
    applicationName: 'trust-directory changes',
    ask: requireOwnSession,
    async begin(session, isCurrent) {
      session.on('notification', ({ payload = '' }) => isCurrent() && hearer.onChange(payload));
      since = performance.now();
      await session.query(`LISTEN ${CHANGE_CHANNEL}`);
    },
    onReady: () => hearer.onReady(since),
    onAnswer: (askedAt) => hearer.onHeard(askedAt),
    onLost: () => hearer.onLost(),
    restMs: (error) => (error instanceof NotOurs ? ASK_AGAIN_MS : RECONNECT_MS),
    confirmMs,
  });
}

class NotOurs extends Error {}

/** Throws where the server is not the one that takes writes, or a pooler gives our statements to sessions of its own. */
async function requireOwnSession(session: pg.Client): Promise<void> {
  const { rows } = await session.query('SELECT pg_backend_pid() AS id, pg_is_in_recovery() AS standby');
  if (!isOwnProcess(session, rows[0]?.id) || rows[0]?.standby) throw new NotOurs();
}
