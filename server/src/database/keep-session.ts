import pg from 'pg';
import { startHeartbeat } from './heartbeat.ts';
import { type BarrierWaiter, createSessionBarrier } from './session-barrier.ts';

/** A session that is kept, and who is told of it. Between `onLost` and the next `onReady` there is none. */
export interface SessionKeeping {
  readonly url: string;
  readonly applicationName: string;
  /** What it is asked again and again, first of all on a new one. Rejects where the session is of no use. */
  ask(session: pg.Client): Promise<unknown>;
  /** Asked once, before it counts as ready; `isCurrent` is false once it has been given up. */
  begin?(session: pg.Client, isCurrent: () => boolean): Promise<unknown>;
  onReady(session: pg.Client): void;
  /** It has answered what it was asked at this moment of `performance.now()`. */
  onAnswer(askedAt: number): void;
  /** `error` is why it never was ready, or null. */
  onLost(error: unknown): void;
  /** How long after its end, by the same error, another one is opened. */
  restMs(error: unknown): number;
  /** Pulses of its heartbeat without an answer after which it counts as dead. */
  readonly mostSilent?: number;
  /** Longest wait of one caller of `confirm`. */
  readonly confirmMs?: number | undefined;
}

/** The keeping of one. */
export interface KeptSession {
  /**
   * Waits until the session has delivered all that was committed before this call; one round trip serves all callers of a
   * turn. Tells `false` where no session is ready, or it does not answer in time.
   */
  confirm(told: BarrierWaiter): void;
  stop(): Promise<void>;
}

const CONNECT_MS = 2_000;
/** A caller of `confirm` that waits longer is better off without the session. */
const CONFIRM_MS = 100;

/**
 * Keeps one session of its own open: another one is opened when it is lost. It is asked again and again whether it lives:
 * nobody else would notice a connection that has quietly died.
 */
export function keepSession(keeping: SessionKeeping): KeptSession {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let session: pg.Client | null = null;
  let ready: pg.Client | null = null;
  let endHeartbeat = () => {};

  const lose = (lost: pg.Client, error: unknown = null) => {
    if (session !== lost) return;
    [session, ready] = [null, null];
    endHeartbeat();
    keeping.onLost(error);
    lost.end().catch(() => undefined);
    lost.connection.stream.destroy();
    if (stopped) return;
    timer = setTimeout(open, keeping.restMs(error));
    timer.unref();
  };

  async function open(): Promise<void> {
    const client = new pg.Client({
      connectionString: keeping.url,
      application_name: keeping.applicationName,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
    }) as pg.Client;
    session = client;
    client.on('error', () => lose(client));
    client.on('end', () => lose(client));
    try {
      await client.connect();
      endHeartbeat = startHeartbeat({
        ask: () => keeping.ask(client),
        onAnswer: (askedAt) => ready === client && keeping.onAnswer(askedAt),
        onSilence: () => lose(client),
        mostSilent: keeping.mostSilent,
      });
      // First of all: a pooler would leave what we begin to anyone who gets the session next.
      await keeping.ask(client);
      await keeping.begin?.(client, () => session === client);
      if (session !== client || stopped) return lose(client);
      ready = client;
      keeping.onReady(client);
    } catch (error) {
      lose(client, error);
    }
  }

  const starting = open();
  return {
    confirm: createSessionBarrier(() => ready, keeping.confirmMs ?? CONFIRM_MS),
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await starting;
      if (session) lose(session);
    },
  };
}
