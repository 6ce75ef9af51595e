import pg from 'pg';

/** Does some work on a session of its own, which ends with it. */
export async function withSession<Result>(
  url: string,
  options: pg.ClientConfig,
  work: (session: pg.Client) => Promise<Result>,
): Promise<Result> {
  const session = new pg.Client({ connectionString: url, ...options });
  // A connection that breaks also fails the statement under way, which is where it is dealt with. Listening begins before
  // there is a session, because the server may end it with the session's first bytes.
  session.on('error', () => undefined);
  await session.connect();
  try {
    return await work(session);
  } finally {
    await session.end();
  }
}

const QUICK_MS = 5_000;

/** For what a start asks before anything else. */
export const QUICK: pg.ClientConfig = { connectionTimeoutMillis: QUICK_MS, query_timeout: QUICK_MS };
