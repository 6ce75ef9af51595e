import pg from 'pg';

/**
 * Returns true if the server process that answered a statement is the one that was reported when the session was
 * opened. A pooler reports a made-up process id and may change the server process.
 */
export function isDirectSession(session: object, backend: number | undefined): boolean {
  return processOf(session) === backend;
}

/**
 * Applies settings to a session if it has its own server process, and returns whether it has. Behind a pooler nothing
 * is set, because the settings would affect other clients.
 */
export async function setForSession(
  session: pg.Client,
  settings: Readonly<Record<string, string>>,
): Promise<boolean> {
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', false)`);
  const { rowCount } = await session.query(
    `SELECT ${calls.join(', ')} WHERE pg_backend_pid() = ${processOf(session)}`,
  );
  return rowCount === 1;
}

/** Reads the server process id, a private field of the driver. */
const processOf = (session: object) => (session as { readonly processID: number }).processID;

/** Runs work on a new session and closes it afterwards. */
export async function withSession<Result>(
  url: string,
  options: pg.ClientConfig,
  work: (session: pg.Client) => Promise<Result>,
): Promise<Result> {
  const session = new pg.Client({ connectionString: url, ...options });
  // A broken connection also rejects the current statement, where the error is handled. Listen before connecting,
  // because the server may end the session with its first bytes.
  session.on('error', () => undefined);
  await session.connect();
  try {
    return await work(session);
  } finally {
    await session.end();
  }
}

const QUICK_MS = 5_000;

/** Timeouts of checks at startup. */
export const QUICK: pg.ClientConfig = { connectionTimeoutMillis: QUICK_MS, query_timeout: QUICK_MS };
