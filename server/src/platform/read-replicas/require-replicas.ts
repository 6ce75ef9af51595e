import { type DatabaseWait, waitForDatabase } from '../database/unusable-database.ts';
import { isDirectSession, QUICK, withSession } from '../database/with-session.ts';

const IDENTITY = `SELECT c.system_identifier::text AS cluster, current_database() AS database,
  pg_backend_pid() AS pid FROM pg_control_system() c`;

interface Identity {
  readonly cluster: string;
  readonly database: string;
  /** False behind a pooler, where another server process answers than the one on which the session was opened. */
  readonly isOwn: boolean;
}

/**
 * Rejects if an address cannot be a replica of the database: its server belongs to another cluster, it names another
 * database, or a pooler is in front of it. Waits for a primary that does not answer yet. Accepts a replica that does
 * not answer: nothing is read from it until it does. Without the check, `require-replicas.db.test.ts` fails.
 */
export async function requireReplicas(
  urls: readonly string[],
  databaseUrl: string,
  wait: DatabaseWait,
): Promise<void> {
  if (urls.length === 0) return;
  const primary = await identifyPrimary(databaseUrl, wait);
  await Promise.all(urls.map((url) => requireReplica(url, primary)));
}

async function requireReplica(url: string, primary: Identity): Promise<void> {
  const replica = await identify(url).catch(() => null);
  if (replica === null) return;
  const refuse = (reason: string) => {
    throw new Error(
      `DATABASE_READ_URLS names ${new URL(url).host}, which is not usable as a replica: ${reason}. ` +
        'List replicas that stream from the server of DATABASE_URL, or unset it.',
    );
  };
  if (replica.cluster !== primary.cluster) refuse('it belongs to another cluster than DATABASE_URL');
  if (replica.database !== primary.database)
    refuse(`its database is ${replica.database}, and that of DATABASE_URL ${primary.database}`);
  if (!replica.isOwn) refuse('it is behind a pooler, which hides restarts of its server');
}

/** 42501: the role may not call the function. */
const NO_RIGHT = '42501';

async function identifyPrimary(url: string, wait: DatabaseWait): Promise<Identity> {
  return waitForDatabase(() => identify(url), wait).catch((error: Error & { code?: string }) => {
    const advice =
      error.code === NO_RIGHT
        ? 'grant its user the right (GRANT EXECUTE ON FUNCTION pg_control_system() TO …)'
        : 'check DATABASE_URL';
    throw new Error(
      `DATABASE_READ_URLS lists replicas, but the server of DATABASE_URL does not report which cluster it is: ${error.message}. ` +
        `To compare each replica with it, ${advice}, or unset DATABASE_READ_URLS.`,
    );
  });
}

async function identify(url: string): Promise<Identity> {
  return withSession(url, QUICK, async (session) => {
    const { rows } = await session.query(IDENTITY);
    return { ...rows[0], isOwn: isDirectSession(session, rows[0].pid) };
  });
}
