import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, isDatabaseAway } from './database-errors.ts';

/** How long to wait for a database that does not answer yet, and how to tell of it. */
export interface DatabaseWait {
  readonly seconds: number;
  /** Called once, at the first failure that may pass. */
  onWait(error: unknown): void;
}

interface Time {
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;
const REAL_TIME: Time = { now: () => performance.now(), sleep };

/** Names that DNS does not know yet, and node-postgres's error for a connection that took too long, which has no code. */
const UNREACHABLE = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH']);
const CONNECT_TIMEOUT = /^(timeout expired|Connection terminated due to connection timeout)/;
/** Locks, statements that took too long, full disks and lost replication: waiting for the server does not help. */
const NOT_THE_SERVER = /^(55P03|57014|25P03|53100|01000|58030|26000|42P05|0A000)$/;

/**
 * Runs work that begins with the database's first answer, again and again while the server is not reachable, starting or in
 * the middle of a failover. The work must be repeatable. Rejects with the last error once `seconds` have passed, and at once
 * with an error that waiting does not change.
 */
export async function waitForDatabase<Result>(
  work: () => Promise<Result>,
  { seconds, onWait }: DatabaseWait,
  time: Time = REAL_TIME,
): Promise<Result> {
  const until = time.now() + seconds * 1_000;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error) || time.now() + pauseMs > until) throw error;
      if (pauseMs === FIRST_PAUSE_MS) onWait(error);
    }
    await time.sleep(pauseMs);
  }
}

function mayPass(error: unknown): boolean {
  const { code, message = '' } = error as { code?: unknown; message?: string };
  if (UNREACHABLE.has(String(code)) || CONNECT_TIMEOUT.test(message)) return true;
  return isDatabaseAway(error) && !NOT_THE_SERVER.test(errorCode(error)?.code ?? '');
}
