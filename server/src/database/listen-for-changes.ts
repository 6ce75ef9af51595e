import pg from 'pg';
import { CHANGE_CHANNEL } from './announced-change.ts';

/** Who is told of changes. Between `onLost` and the next `onReady` some may go unheard. */
export interface ChangeHearer {
  onReady(): void;
  onChange(change: string): void;
  onLost(): void;
}

/** How often the session is asked whether it lives, and how long it may take to say so: together below a second. */
const PULSE_MS = 300;
const ANSWER_MS = 500;
const RECONNECT_MS = 200;
/** Where the address leads to no session of our own, it will not do so soon. */
const ASK_AGAIN_MS = 10_000;

/**
 * Hears of every change of the directory that is committed by anyone, on a session of its own, and opens another one
 * when that is lost. A session that does not answer within half a second counts as lost: nobody else would notice a
 * connection that has quietly died. Behind a pooler nothing is heard, since the session is not ours: then never ready.
 */
export function listenForChanges(url: string, hearer: ChangeHearer): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let session: pg.Client | null = null;

  const again = (afterMs: number) => {
    if (stopped) return;
    timer = setTimeout(listen, afterMs);
    timer.unref();
  };
  const lose = (lost: pg.Client, afterMs = RECONNECT_MS) => {
    if (session !== lost) return;
    session = null;
    hearer.onLost();
    lost.end().catch(() => undefined);
    lost.connection.stream.destroy();
    again(afterMs);
  };

  async function listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'trust-directory changes',
      connectionTimeoutMillis: ANSWER_MS * 4,
      query_timeout: ANSWER_MS,
      keepAlive: true,
    }) as pg.Client;
    session = client;
    client.on('error', () => lose(client));
    client.on('end', () => lose(client));
    client.on('notification', ({ payload = '' }) => session === client && hearer.onChange(payload));
    try {
      await client.connect();
      // First of all: a pooler would leave our LISTEN to anyone who gets the session next.
      await requireOwnSession(client);
      await client.query(`LISTEN ${CHANGE_CHANNEL}`);
      if (session !== client || stopped) return lose(client);
      hearer.onReady();
      beat(client);
    } catch (error) {
      lose(client, error instanceof NotOurs ? ASK_AGAIN_MS : RECONNECT_MS);
    }
  }

  function beat(client: pg.Client): void {
    timer = setTimeout(() => {
      requireOwnSession(client).then(
        () => session === client && !stopped && beat(client),
        () => lose(client),
      );
    }, PULSE_MS);
    timer.unref();
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
