import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { type ConnectOptions, connect, type Database } from '../src/platform/database/connect.ts';

/** Database of one test file or test. */
export interface TestDatabase {
  readonly database: Database;
  readonly url: string;
  /** Closes this object's sessions and drops the database, even if other sessions are open. */
  close(): Promise<void>;
}

/** Creates a database on a test server as a clone of a template without connections. */
export async function cloneDatabase(
  serverUrl: string,
  template: string,
  options: ConnectOptions = {},
): Promise<TestDatabase> {
  const name = await createClone(serverUrl, template);
  const { database, url } = openClone(serverUrl, name, options);
  const close = async () => {
    await database.close();
    await dropClone(serverUrl, name);
  };
  return { database, url, close };
}

/** Copies a template, and returns the name of the copy. */
export async function createClone(serverUrl: string, template: string): Promise<string> {
  const name = `td_test_${randomBytes(6).toString('hex')}`;
  // Copying files takes less than half the time of copying through the log, which is PostgreSQL's default.
  await execute(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  return name;
}

/** Connects to a clone; the caller closes the connections. */
export function openClone(
  serverUrl: string,
  name: string,
  options: ConnectOptions,
): Pick<TestDatabase, 'database' | 'url'> {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { database: connect(url.href, options), url: url.href };
}

/** Forbids connections to a clone, so that it can be a template: a session or autovacuum would block its copying. */
export function closeToSessions(serverUrl: string, name: string): Promise<void> {
  return execute(serverUrl, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
}

/** Drops a clone, even with open sessions. */
export function dropClone(serverUrl: string, name: string): Promise<void> {
  return execute(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

/** Pools of sessions on maintenance databases, by server. They are reused: logging in takes longer than most statements. */
const sessions = new Map<string, pg.Pool>();

async function execute(serverUrl: string, statement: string): Promise<void> {
  let pool = sessions.get(serverUrl);
  if (pool === undefined) {
    pool = new pg.Pool({ connectionString: serverUrl, max: 2, allowExitOnIdle: true });
    // The server may stop before this process.
    pool.on('error', () => undefined);
    sessions.set(serverUrl, pool);
  }
  await pool.query(statement);
}
