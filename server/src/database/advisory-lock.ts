import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { setForSession } from './own-session.ts';
import { withSession } from './with-session.ts';

/** A start that finds the lock taken for a moment only should hardly notice; one that waits for minutes asks seldom. */
const FIRST_WAIT_MS = 10;
const LONGEST_WAIT_MS = 250;
const OPTIONS = { application_name: 'trust-directory lock' };
/** Work that needs a lock takes as long as it takes. */
const LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
const NO_LIMITS = Object.fromEntries(LIMITS.map((name) => [name, '0']));

/** Lifts them for the open transaction: behind a pooler a session has no settings of ours. */
export const WITHOUT_LIMITS = LIMITS.map((name) => `SET LOCAL ${name} = 0`).join('; ');

/** A lock that is held for some work. */
export interface HeldLock {
  /** Waits for it again. */
  take(): Promise<void>;
  /** Gives it back before the work is done. */
  release(): Promise<void>;
}

/**
 * Does some work while holding an advisory lock, without a time limit: a second process waits for as long as the first one
 * works, and the lock ends with its session however that ends.
 */
export function withAdvisoryLock<Result>(
  url: string,
  lock: number,
  work: (client: pg.Client, held: HeldLock) => Promise<Result>,
): Promise<Result> {
  return withLock(url, lock, async (client, scope) => {
    const held = { take: () => untilTaken(scope), release: async () => void (await scope.release()) };
    await held.take();
    return work(client, held);
  });
}

/** The same where nobody holds the lock; throws what `taken` makes, at once, where another session does. */
export function withFreeAdvisoryLock<Result>(
  url: string,
  lock: number,
  work: () => Promise<Result>,
  taken: () => Error,
): Promise<Result> {
  return withLock(url, lock, async (_client, scope) => {
    if (!(await scope.tryIt())) throw taken();
    return work();
  });
}

/**
 * Asks again and again: a statement that waited inside PostgreSQL would keep a snapshot all the while, for whose end an index
 * that is made concurrently waits, and with it who holds the lock.
 */
async function untilTaken(scope: Scope): Promise<void> {
  for (let wait = FIRST_WAIT_MS; !(await scope.tryIt()); ) {
    await sleep(wait * (0.5 + Math.random()));
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}

/** What holds a lock, and loses it when it ends. */
interface Scope {
  tryIt(): Promise<boolean>;
  release(): Promise<unknown>;
}

/** The session that works holds the lock too, where a server process of its own stands behind it; else a transaction does. */
function withLock<Result>(
  url: string,
  lock: number,
  work: (client: pg.Client, scope: Scope) => Promise<Result>,
): Promise<Result> {
  return withSession(url, OPTIONS, async (client) => {
    if (await setForSession(client, NO_LIMITS)) return work(client, ofSession(client, lock));
    return withSession(url, OPTIONS, async (holder) => {
      // Another may begin as soon as the lock is lost.
      holder.on('end', () => client.connection.stream.destroy());
      try {
        return await work(client, ofTransaction(holder, lock));
      } finally {
        // A pooler ends what a session leaves open some time after its end: the next one would find the lock taken.
        await holder.query('ROLLBACK').catch(() => undefined);
      }
    });
  });
}

const ofSession = (client: pg.Client, lock: number): Scope => ({
  tryIt: () => isFree(client, `SELECT pg_try_advisory_lock(${lock}) AS free`),
  release: () => client.query('SELECT pg_advisory_unlock($1)', [lock]),
});

/**
 * A pooler may give the server process of a session to another at any moment, and with it what the session has locked; but not
 * that of an open transaction. This one writes nothing and keeps no snapshot, as one would whose last statement had parameters:
 * nothing waits for its end.
 */
const ofTransaction = (holder: pg.Client, lock: number): Scope => ({
  async tryIt() {
    await holder.query(`BEGIN; ${WITHOUT_LIMITS}`);
    const free = await isFree(holder, `SELECT pg_try_advisory_xact_lock(${lock}) AS free`);
    if (!free) await holder.query('ROLLBACK');
    return free;
  },
  release: () => holder.query('COMMIT'),
});

async function isFree(client: pg.Client, sql: string): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>(sql);
  return rows[0]?.free === true;
}
