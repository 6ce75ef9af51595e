import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Connection } from './connect.ts';
import { setForSession, withSession } from './with-session.ts';

/**
 * Interval at which a server renews its row in `running_server`. A server counts as running for three intervals after
 * the last renewal.
 */
export const RENEW_SERVER_MS = 10_000;

const RUNNING_SECONDS = (3 * RENEW_SERVER_MS) / 1_000;

// Skips rows that another server renews or deletes: several servers that were suspended for a day could otherwise
// deadlock.
const RENEW = `WITH gone AS (DELETE FROM running_server WHERE id IN (SELECT id FROM running_server
  WHERE seen_at < ledger_now() - interval '1 day' AND id <> $1 FOR UPDATE SKIP LOCKED))
INSERT INTO running_server (id, public_url) VALUES ($1, $2)
ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`;

const FIND = `SELECT public_url AS "publicUrl" FROM running_server
WHERE seen_at > ledger_now() - $1 * interval '1 second' GROUP BY 1 ORDER BY max(seen_at) DESC, 1`;

/** Stores that a server runs under an address. Deletes the rows of other servers that were not renewed for a day. */
export async function renewRunningServer(
  connection: Connection,
  { id, publicUrl }: { id: string; publicUrl: string },
): Promise<void> {
  await connection.query(RENEW, [id, publicUrl]);
}

/** Deletes the row of a server that stops. */
export async function removeRunningServer(connection: Connection, id: string): Promise<void> {
  await connection.query('DELETE FROM running_server WHERE id = $1', [id]);
}

/** Lists the addresses of the servers running on this database, most recently seen first. */
export async function findRunningServers(connection: Connection): Promise<string[]> {
  const rows = await connection.query<{ publicUrl: string }>(FIND, [RUNNING_SECONDS]);
  return rows.map(({ publicUrl }) => publicUrl);
}

/**
 * First delay between two attempts. The delays double up to `LONGEST_WAIT_MS`, so that short waits end soon and long
 * waits poll rarely.
 */
const FIRST_WAIT_MS = 10;
const LONGEST_WAIT_MS = 250;
const OPTIONS = { application_name: 'trust-directory lock' };
/** Timeouts that are switched off in a session that holds or waits for a lock. */
const LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
const NO_LIMITS = Object.fromEntries(LIMITS.map((name) => [name, '0']));

/**
 * SQL that switches off the timeouts for the open transaction only, because session settings do not survive a pooler.
 */
export const SET_NO_TIMEOUTS = LIMITS.map((name) => `SET LOCAL ${name} = 0`).join('; ');

/** Advisory lock held while some work runs. */
export interface HeldLock {
  /** Acquires the lock again after `release`. */
  acquire(): Promise<void>;
  /** Releases the lock before the work is done. */
  release(): Promise<void>;
}

/**
 * Runs work while holding an advisory lock. A second process waits without a time limit until the first is done. The
 * lock ends with its session, even if the process crashes. Without polling, or without the transaction behind a pooler,
 * `concurrent-index.long.test.ts` and `pooler.long.test.ts` fail.
 */
export function withAdvisoryLock<Result>(
  url: string,
  lock: number,
  work: (client: pg.Client, held: HeldLock) => Promise<Result>,
): Promise<Result> {
  return withLock(url, lock, async (client, scope) => {
    const held: HeldLock = {
      acquire: () => untilTaken(scope),
      release: async () => void (await scope.release()),
    };
    await held.acquire();
    return work(client, held);
  });
}

/**
 * Runs work while holding an advisory lock. If another session holds the lock, throws the error from `taken` at once.
 */
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
 * Polls for the lock. A statement that waits inside PostgreSQL would hold a snapshot, for which `CREATE INDEX
 * CONCURRENTLY` of the lock holder waits: both would deadlock.
 */
async function untilTaken(scope: Scope): Promise<void> {
  for (let wait = FIRST_WAIT_MS; !(await scope.tryIt()); ) {
    await sleep(wait * (0.5 + Math.random()));
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}

/** Session or transaction that owns a lock; the lock is released when it ends. */
interface Scope {
  tryIt(): Promise<boolean>;
  release(): Promise<unknown>;
}

/**
 * Runs work with a scope that can take the lock. If the session of the work has its own server process, that session
 * owns the lock. Behind a pooler, an open transaction of a second session owns it.
 */
function withLock<Result>(
  url: string,
  lock: number,
  work: (client: pg.Client, scope: Scope) => Promise<Result>,
): Promise<Result> {
  return withSession(url, OPTIONS, async (client) => {
    if (await setForSession(client, NO_LIMITS)) return work(client, ofSession(client, lock));
    return withSession(url, OPTIONS, async (holder) => {
      // Stop the work as soon as the lock is lost, because another process may start.
      holder.on('end', () => client.connection.stream.destroy());
      try {
        return await work(client, ofTransaction(holder, lock));
      } finally {
        // Roll back now. A pooler ends the open transaction of a closed session only later, and the next start would
        // find the lock taken.
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
 * Locks in an open transaction. The server process holds the locks of a session, and a pooler may give the session
 * another server process between transactions, but not during one. The transaction writes nothing, and holds no
 * snapshot because its last statement has no parameters. Therefore nothing waits for its end.
 */
const ofTransaction = (holder: pg.Client, lock: number): Scope => ({
  async tryIt() {
    await holder.query(`BEGIN; ${SET_NO_TIMEOUTS}`);
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
