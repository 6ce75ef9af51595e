import pg from 'pg';
import { CHANGE_CHANNEL } from './announced-change.ts';
import { startHeartbeat } from './heartbeat.ts';

/** Who is told of changes. Between `onLost` and the next `onReady` some may go unheard. Moments are `performance.now()`. */
export interface ChangeHearer {
  /** Every change that is committed from this moment on will be told. */
  onReady(since: number): void;
  /** All that was committed before this moment has been. */
  onHeard(until: number): void;
  onChange(change: string): void;
  onLost(): void;
}

const CONNECT_MS = 2_000;
const RECONNECT_MS = 200;
/** Where the address leads to no session of our own, it will not do so soon. */
const ASK_AGAIN_MS = 10_000;

/**
 * Hears of every change of the directory that is committed by anyone, on a session of its own, and opens another one
 * when that is lost. It is asked again and again whether it lives: nobody else would notice a connection that has quietly
 * died. Until it is found dead, `onHeard` says how far what was heard goes. Behind a pooler nothing is heard, since the
 * session is not ours: then never ready.
 */
export function listenForChanges(url: string, hearer: ChangeHearer): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let session: pg.Client | null = null;
  let endHeartbeat = () => {};

  const again = (afterMs: number) => {
    if (stopped) return;
    timer = setTimeout(listen, afterMs);
    timer.unref();
  };
  const lose = (lost: pg.Client, afterMs = RECONNECT_MS) => {
    if (session !== lost) return;
    session = null;
    endHeartbeat();
    hearer.onLost();
    lost.end().catch(() => undefined);
    lost.connection.stream.destroy();
    again(afterMs);
  };

  async function listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'trust-directory changes',
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
    }) as pg.Client;
    session = client;
    client.on('error', () => lose(client));
    client.on('end', () => lose(client));
    client.on('notification', ({ payload = '' }) => session === client && hearer.onChange(payload));
    try {
      await client.connect();
      let isReady = false;
      endHeartbeat = startHeartbeat({
        ask: () => requireOwnSession(client),
        onAnswer: (askedAt) => isReady && hearer.onHeard(askedAt),
        onSilence: () => lose(client),
      });
      // First of all: a pooler would leave our LISTEN to anyone who gets the session next.
      await requireOwnSession(client);
      const since = performance.now();
      await client.query(`LISTEN ${CHANGE_CHANNEL}`);
      if (session !== client || stopped) return lose(client);
      isReady = true;
      hearer.onReady(since);
    } catch (error) {
      lose(client, error instanceof NotOurs ? ASK_AGAIN_MS : RECONNECT_MS);
    }
  }

  const starting = listen();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await starting;
      if (session) lose(session);
    },
  };
}

class NotOurs extends Error {}

/** Throws where the server is not the one that takes writes, or a pooler gives our statements to sessions of its own. */
async function requireOwnSession(client: pg.Client): Promise<void> {
  const { rows } = await client.query('SELECT pg_backend_pid() AS id, pg_is_in_recovery() AS standby');
  const { processID } = client as unknown as { processID: number };
  if (rows[0]?.id !== processID || rows[0]?.standby) throw new NotOurs();
}
