import pg from 'pg';

/**
 * Does some work while holding a session-level advisory lock on a connection of its own, without a time limit: a second
 * process waits for as long as the first one works, and the lock ends with the session however that ends.
 */
export async function withAdvisoryLock<Result>(
  url: string,
  lock: number,
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
    await client.query('SELECT pg_advisory_lock($1)', [lock]);
    return await work(client);
  } finally {
    await client.end();
  }
}
