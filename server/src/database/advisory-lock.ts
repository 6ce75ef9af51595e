import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** A start that finds the lock taken for a moment only should hardly notice; one that waits for minutes asks seldom. */
const FIRST_WAIT_MS = 10;
const LONGEST_WAIT_MS = 250;

/**
 * Does some work while holding a session-level advisory lock on a connection of its own, without a time limit: a second
 * process waits for as long as the first one works, and the lock ends with the session however that ends.
 */
export function withAdvisoryLock<Result>(
  url: string,
  lock: number,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  return withClient(url, async (client) => {
    await takeAdvisoryLock(client, lock);
    return work(client);
  });
}

/**
 * Waits for a lock by asking for it again and again: a statement that waited inside PostgreSQL would keep a snapshot all the
 * while, for whose end an index that is made concurrently waits, and with it who holds the lock.
 */
export async function takeAdvisoryLock(client: pg.Client, lock: number): Promise<void> {
  for (let wait = FIRST_WAIT_MS; !(await tryAdvisoryLock(client, lock)); ) {
    await sleep(wait * (0.5 + Math.random()));
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}

/** Gives a lock back before the work that it was taken for is done. */
export async function releaseAdvisoryLock(client: pg.Client, lock: number): Promise<void> {
  await client.query('SELECT pg_advisory_unlock($1)', [lock]);
}

/** The same where nobody holds the lock; throws what `taken` makes, at once, where another session does. */
export function withFreeAdvisoryLock<Result>(
  url: string,
  lock: number,
  work: () => Promise<Result>,
  taken: () => Error,
): Promise<Result> {
  return withClient(url, async (client) => {
    if (!(await tryAdvisoryLock(client, lock))) throw taken();
    return work();
  });
}

async function tryAdvisoryLock(client: pg.Client, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>('SELECT pg_try_advisory_lock($1) AS free', [lock]);
  return rows[0]?.free === true;
}

async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, application_name: 'trust-directory lock' });
  // A connection that breaks also fails the statement under way, which is where it is dealt with. Listening begins before
  // there is a session, because the server may end it with the session's first bytes.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(
      'SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0',
    );
    return await work(client);
  } finally {
    await client.end();
  }
}
