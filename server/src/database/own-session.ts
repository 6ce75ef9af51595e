import type pg from 'pg';

/**
 * Whether the server process of this number, which has answered a statement of the session, is the one that the session was
 * told of at its start: a pooler invents what it tells, and may let another process answer each time.
 */
export function isOwnProcess(session: object, backend: number | undefined): boolean {
  return processOf(session) === backend;
}

/**
 * Sets a session up for as long as it lasts, where a server process of its own stands behind it; answers whether. A pooler may
 * give that process to another session next, which would have settings that it never asked for: there nothing is set.
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

/** The driver keeps it to itself. */
const processOf = (session: object) => (session as { readonly processID: number }).processID;
