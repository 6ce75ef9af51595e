import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { type Connection, connect, type Database } from '../connect.ts';
import { errorCode } from '../database-errors.ts';
import { keepSession } from '../keep-session.ts';
import { type Point, type ReplicaStatus, readReplayed, readStatus } from './server-point.ts';
import { Stint } from './stint.ts';

/** A server that replays what the primary writes, and the sessions on it. */
export interface Replica {
  /** Its host and port. */
  readonly address: string;
  /** What it can be read from for; null where it is away, or further behind than anybody waits. */
  status(): 'ready' | 'behind' | 'away';
  /** How far it had replayed when it was last asked. */
  position(): number;
  poolState: Database['poolState'];
  /** Where all is found that was committed up to there; null where that takes too long. */
  reach(point: Point): Stint | null | Promise<Stint | null>;
  close(): Promise<void>;
}

/** What a replica is made of. */
export interface ReplicaParts {
  readonly url: string;
  readonly poolSize: number;
  /** Where its statements go when they fail. */
  readonly primary: Connection;
  readonly log: Log;
  /** A statement went to the primary in its place. */
  onRetreat(): void;
  /** How long one read waits for what it has not replayed yet. */
  readonly patienceMs?: number;
}

interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

const PATIENCE_MS = 50;
/** Between two looks at how far it has come, while somebody waits. */
const STEP_MS = 2;
/** How long a replica whose statements fail is left alone, and one whose session does. */
const REST_MS = 1_000;
/** Where the address leads to a pooler, it will not lead elsewhere soon. */
const ASK_AGAIN_MS = 10_000;
/** Pulses: a second. */
const MOST_SILENT = 5;
/** So long a statement waits for a session, and that for its connection. */
const ACQUIRE_TIMEOUT_MS = 1_000;

interface Waiting {
  readonly position: number;
  settle(stint: Stint | null): void;
}

/**
 * Opens one. A session of its own tells how far it has replayed; while that one lives, the server was not started anew, and
 * has gone forwards only. No request ever waits for a connection to a server that is away.
 */
export function openReplica(parts: ReplicaParts): Replica {
  const { url, primary, log, patienceMs = PATIENCE_MS } = parts;
  const address = new URL(url).host;
  const waiting = new Set<Waiting>();
  let line: pg.Client | null = null;
  let told: ReplicaStatus | null = null;
  let position = 0;
  /** What it was too far behind of: until it is there, nobody waits for it again. */
  let needed = 0;
  let stint: Stint | null = null;
  let restsUntil = 0;
  let isEntering = false;
  let isToldOut = false;
  let isFollowing = false;

  const pool = connect(url, {
    poolSize: parts.poolSize,
    readOnly: true,
    acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
    judgeSession,
  });

  /** Refuses a session that may know less than was told: of another server, or of one that began anew since. */
  async function judgeSession(session: pg.Client): Promise<void> {
    const [known, before] = [position, told];
    const own = await readStatus(session);
    if (!own.isOwn || before === null || told?.life !== own.life) throw new OtherServer(address);
    if (own.position < known) throw new OtherServer(address);
  }

  const newStint = () => new Stint({ replica: pool, primary, onFailure: failed, onRetreat: parts.onRetreat });

  function failed(error: unknown): void {
    const code = errorCode(error)?.code ?? '';
    // The others' statements may have met the same: those who begin now read here again.
    if (CANCELLED.test(code)) stint = newStint();
    else leave(error);
  }

  /** Once, until it is read from again. */
  function tellOut(error: unknown): void {
    if (!isToldOut) log.warn({ replica: address, failure: failureOf(error) }, 'a replica is not read from');
    isToldOut = true;
  }

  function leave(error: unknown): void {
    restsUntil = performance.now() + REST_MS;
    tellOut(error);
    const last = stint;
    stint = null;
    last?.end(error);
    for (const each of [...waiting]) each.settle(null);
  }

  /** Reads from it as soon as a statement of nobody's has come back. */
  async function enter(): Promise<void> {
    if (stint !== null || isEntering || line === null || performance.now() < restsUntil) return;
    if (!told?.replays) return;
    isEntering = true;
    const session = line;
    try {
      await pool.query('SELECT 1');
      if (line !== session) return;
      stint = newStint();
      isToldOut = false;
      log.info({ replica: address }, 'a replica is read from');
    } catch (error) {
      leave(error);
    } finally {
      isEntering = false;
    }
  }

  function note(status: ReplicaStatus): void {
    told = status;
    if (!status.replays) leave(new Promoted());
    else position = Math.max(position, status.position);
  }

  const keeping = keepSession({
    url,
    applicationName: 'trust-directory replica',
    async ask(session) {
      const status = await readStatus(session);
      if (!status.isOwn) throw new NotOurs();
      if (line === session) note(status);
      else told = status;
    },
    onReady(session) {
      line = session;
      [position, needed] = [0, 0];
      if (told) note(told);
      void enter();
    },
    onAnswer: () => void enter(),
    onLost(error) {
      line = null;
      told = null;
      leave(error ?? new Lost());
      pool.renewSessions();
    },
    restMs: (error) => (error instanceof NotOurs ? ASK_AGAIN_MS : REST_MS),
    mostSilent: MOST_SILENT,
  });

  /** Looks again and again while anybody waits. */
  async function follow(): Promise<void> {
    if (isFollowing) return;
    isFollowing = true;
    const session = line;
    try {
      while (waiting.size > 0 && session && line === session) {
        const replayed = await readReplayed(session);
        if (line !== session) break;
        if (replayed === null) {
          leave(new Promoted());
          break;
        }
        position = Math.max(position, replayed);
        for (const each of [...waiting]) if (position >= each.position) each.settle(stint);
        if (waiting.size > 0) await wait(STEP_MS);
      }
    } catch {
      // The session is lost, which is told by itself.
    } finally {
      isFollowing = false;
      for (const each of [...waiting]) each.settle(null);
    }
  }

  const waitFor = (wanted: number) =>
    new Promise<Stint | null>((resolve) => {
      const each: Waiting = {
        position: wanted,
        settle(reached) {
          clearTimeout(timer);
          waiting.delete(each);
          resolve(reached);
        },
      };
      const timer = setTimeout(() => {
        needed = Math.max(needed, wanted);
        each.settle(null);
      }, patienceMs);
      waiting.add(each);
      void follow();
    });

  return {
    address,
    status: () => (stint === null ? 'away' : position < needed ? 'behind' : 'ready'),
    position: () => position,
    poolState: pool.poolState,
    reach(point) {
      if (stint === null || told?.history !== point.history || position < needed) return null;
      return position >= point.position ? stint : waitFor(point.position);
    },
    async close() {
      await keeping.stop();
      await pool.close();
    },
  };
}

/** Ended for the sake of the replay, or for its time: nothing is wrong with the server. */
const CANCELLED = /^(40001|40P01|57014)$/;

class NotOurs extends Error {
  override readonly name = 'BehindPooler';
}

/** It takes writes itself, or will. */
class Promoted extends Error {
  override readonly name = 'Promoted';
}

class Lost extends Error {
  override readonly name = 'SessionLost';
}

class OtherServer extends Error {
  override readonly name = 'OtherServer';

  constructor(address: string) {
    super(`${address} leads to several servers, or to one that has begun anew.`);
  }
}

/** The code or name of an error, which hold neither a statement nor an address. */
function failureOf(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException;
  return errorCode(error)?.code ?? code ?? name;
}
