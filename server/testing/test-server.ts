import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import {
  type Cluster,
  initialiseCluster,
  ROLE,
  SERVER_SETTINGS,
  startCluster,
  stopCluster,
} from '../src/platform/embedded-postgres/cluster.ts';
import {
  changeOwner,
  findBinaries,
  findUnprivilegedUser,
  type PostgresBinaries,
} from '../src/platform/embedded-postgres/postgres-programs.ts';
import { Presence, readPostmaster } from '../src/platform/embedded-postgres/server-processes.ts';
import { memoryFolder } from './memory-folder.ts';

/** PostgreSQL that lives for one run of the suite. `url` leads to its maintenance database. */
export interface TestServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Settings without durability, because the files are deleted after the run and cloning is several times as fast. Crash
 * tests start their own servers with openEmbeddedPostgres.
 */
export const TEST_SETTINGS = {
  ...SERVER_SETTINGS,
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  deadlock_timeout: '200ms',
  // A test's new session would plan each trigger's statement anew five times; one plan saves a fifth of PostgreSQL's time. Tests
  // about plans set `auto`.
  plan_cache_mode: 'force_generic_plan',
};

const FOLDER_PREFIX = 'trust-directory-test-';

/**
 * Starts the embedded PostgreSQL in a temporary folder (in memory if there is space). With TEST_DATABASE_URL it uses
 * that server and leaves it running.
 */
export async function startTestServer(): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, stop: async () => undefined };

  const server = await startOn(await findBinaries(), (cluster, passwordFile) =>
    initialiseCluster(cluster, passwordFile, { sync: false }),
  );
  await makeLoginsCheap(server.url);
  return server;
}

/** Stores the password with one hash iteration instead of 4,096: the thousands of logins of a run take two thirds of the time. */
async function makeLoginsCheap(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('SET scram_iterations = 1');
  await client.query(`ALTER ROLE ${ROLE} PASSWORD '${new URL(url).password}'`);
  await client.end();
}

/** Programs of the oldest supported PostgreSQL in Debian's package. */
const OLDEST = '/usr/lib/postgresql/15/bin';

/** Starts the oldest PostgreSQL that the service supports, which has no built-in locales yet. */
export async function startOldestTestServer(): Promise<TestServer> {
  if (!existsSync(OLDEST)) throw new Error(`There is no ${OLDEST}: install the package postgresql-15.`);
  const [initdb, pgCtl, postgres] = ['initdb', 'pg_ctl', 'postgres'].map((name) => join(OLDEST, name));
  const binaries = { folder: OLDEST, major: '15', initdb, pgCtl, postgres } as PostgresBinaries;
  return startOn(binaries, async ({ folder, user }, passwordFile) => {
    const parameters = [`--pgdata=${folder}`, `--username=${ROLE}`, `--pwfile=${passwordFile}`];
    const settings = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
    await promisify(execFile)(binaries.initdb, [...parameters, ...settings], { ...user, cwd: OLDEST });
  });
}

/** Creates a server of these programs in a folder that the next run removes if this one is killed. */
async function startOn(
  binaries: PostgresBinaries,
  initialise: (cluster: Cluster, passwordFile: string) => Promise<void>,
): Promise<TestServer> {
  const { root, user, password, passwordFile } = await makeServerFolder();
  const cluster = { folder: join(root, 'postgres'), binaries, user };
  await initialise(cluster, passwordFile);
  await startCluster(cluster, TEST_SETTINGS);
  return {
    url: serverUrl(cluster, password),
    stop: async () => {
      await stopCluster(cluster, 'immediate');
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Returns the URL of the maintenance database of a running server. */
export function serverUrl({ folder }: Cluster, password: string): string {
  return `postgres://${ROLE}:${password}@127.0.0.1:${readPostmaster(folder)?.port}/postgres`;
}

/** Creates a folder for servers; if this run is killed, the next one ends its servers and removes it. */
export async function makeServerFolder() {
  await removeAbandonedServers();
  const user = await findUnprivilegedUser();
  const root = await mkdtemp(join(memoryFolder(), FOLDER_PREFIX));
  await chmod(root, 0o711);
  await changeOwner(user, root);
  const presence = new Presence(join(root, 'users'));
  presence.announce();
  const password = randomBytes(12).toString('hex');
  const passwordFile = join(root, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  await changeOwner(user, passwordFile);
  return { root, user, password, passwordFile };
}

/** Ends the servers and removes the folders of killed runs. */
async function removeAbandonedServers(): Promise<void> {
  for (const folder of new Set([memoryFolder(), tmpdir()])) {
    const names = await readdir(folder);
    for (const name of names.filter((each) => each.startsWith(FOLDER_PREFIX))) {
      // A folder of another system user cannot be written; it is skipped.
      await removeWhenAbandoned(join(folder, name)).catch(() => undefined);
    }
  }
}

async function removeWhenAbandoned(root: string): Promise<void> {
  const users = join(root, 'users');
  // A run that is just starting has no `users` yet.
  if (!existsSync(users) || !new Presence(users).leave()) return;
  for (const name of await readdir(root)) {
    const running = readPostmaster(join(root, name));
    if (running) process.kill(running.pid, 'SIGQUIT');
  }
  await rm(root, { recursive: true, force: true });
}
