import { isOwnProcess } from '../own-session.ts';
import { QUICK, withSession } from '../with-session.ts';

const IDENTITY = `SELECT c.system_identifier::text AS cluster, current_database() AS database,
  pg_backend_pid() AS pid FROM pg_control_system() c`;

interface Identity {
  readonly cluster: string;
  readonly database: string;
  /** False where what answers is another session than the one that was opened. */
  readonly isOwn: boolean;
}

/**
 * Rejects where an address is surely none of a replica of the database: its server is of another cluster, it names another
 * database, or a pooler stands before it. One that can't be asked may be one: nothing is read from it until it can.
 */
export async function requireReplicas(urls: readonly string[], databaseUrl: string): Promise<void> {
  if (urls.length === 0) return;
  const primary = await identifyPrimary(databaseUrl);
  await Promise.all(urls.map((url) => requireReplica(url, primary)));
}

async function requireReplica(url: string, primary: Identity): Promise<void> {
  const replica = await identify(url).catch(() => null);
  if (replica === null) return;
  const refuse = (reason: string) => {
    throw new Error(
      `DATABASE_READ_URLS names ${new URL(url).host}, which cannot be read from: ${reason}. ` +
        'Name replicas that stream from the server of DATABASE_URL, or unset it.',
    );
  };
  if (replica.cluster !== primary.cluster) refuse('it is a server of another cluster than DATABASE_URL');
  if (replica.database !== primary.database)
    refuse(`its database is ${replica.database}, and that of DATABASE_URL ${primary.database}`);
  if (!replica.isOwn) refuse('a pooler stands before it, which hides when its server begins anew');
}

/** 42501: the role may not call the function. */
const NO_RIGHT = '42501';

async function identifyPrimary(url: string): Promise<Identity> {
  return identify(url).catch((error: Error & { code?: string }) => {
    const advice =
      error.code === NO_RIGHT
        ? 'let its user ask (GRANT EXECUTE ON FUNCTION pg_control_system() TO …)'
        : 'see that DATABASE_URL leads to it';
    throw new Error(
      `DATABASE_READ_URLS names replicas, and the server of DATABASE_URL does not tell which cluster it is: ${error.message}. ` +
        `So that each replica can be held against it, ${advice}, or unset DATABASE_READ_URLS.`,
    );
  });
}

async function identify(url: string): Promise<Identity> {
  return withSession(url, QUICK, async (session) => {
    const { rows } = await session.query(IDENTITY);
    return { ...rows[0], isOwn: isOwnProcess(session, rows[0].pid) };
  });
}
