import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, isDatabaseUnavailable } from './database-errors.ts';

/** Time limit, and callback while the database is unavailable. */
export interface DatabaseWait {
  readonly seconds: number;
  /** Called once, at the first failure that may be temporary. */
  onWait(error: unknown): void;
}

interface Time {
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;
const REAL_TIME: Time = { now: () => performance.now(), sleep };

/** DNS errors that may be temporary, and node-postgres's connect timeout, which has no code. */
const UNREACHABLE = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH']);
const CONNECT_TIMEOUT = /^(timeout expired|Connection terminated due to connection timeout)/;
/**
 * Errors that waiting for the server does not resolve: locks, slow statements, full disks, lost replication, unusable
 * prepared statements.
 */
const NOT_THE_SERVER = /^(55P03|57014|25P03|53100|01000|58030|26000|42P05|0A000)$/;

/**
 * Runs work and retries it while the server is unreachable, starting or failing over. The work must be repeatable.
 * Rejects with the last error after `seconds`, and at once with an error that waiting does not resolve. Without
 * waiting, `wait-for-database.test.ts` fails.
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
  return isDatabaseUnavailable(error) && !NOT_THE_SERVER.test(errorCode(error)?.code ?? '');
}
