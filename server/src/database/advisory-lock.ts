import pg from 'pg';

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
    await client.query('SELECT pg_advisory_lock($1)', [lock]);
    return work(client);
  });
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
    const { rows } = await client.query<{ free: boolean }>('SELECT pg_try_advisory_lock($1) AS free', [lock]);
    if (!rows[0]?.free) throw taken();
    return work();
  });
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
