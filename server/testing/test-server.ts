import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findBinaries, type PostgresBinaries } from '../src/database/embedded/binaries.ts';
import {
  type Cluster,
  initialiseCluster,
  ROLE,
  SERVER_SETTINGS,
  startCluster,
  stopCluster,
} from '../src/database/embedded/cluster.ts';
import { readPostmaster } from '../src/database/embedded/lock-file.ts';
import { Presence } from '../src/database/embedded/presence.ts';
import { findUnprivilegedUser, giveTo } from '../src/database/embedded/unprivileged-user.ts';
import { memoryFolder } from './memory-folder.ts';

/** A PostgreSQL that lives for one run of the suite. `url` leads to its maintenance database. */
export interface TestServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Durability is switched off: the files die with the run, and cloning databases is several times as fast. Tests of
 * crashes start a server of their own through openEmbeddedPostgres.
 */
export const TEST_SETTINGS = {
  ...SERVER_SETTINGS,
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  deadlock_timeout: '200ms',
};

const FOLDER_PREFIX = 'trust-directory-test-';

/** Starts the embedded PostgreSQL in a temporary folder (in memory, if there is room); with TEST_DATABASE_URL that server is used and left running. */
export async function startTestServer(): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, stop: async () => undefined };

  return startOn(await findBinaries(), (cluster, passwordFile) =>
    initialiseCluster(cluster, passwordFile, { sync: false }),
  );
}

/** Where Debian's package has the programs of the oldest PostgreSQL that the service runs on. */
const OLDEST = '/usr/lib/postgresql/15/bin';

/** The same of the oldest PostgreSQL that the service runs on, which knows no locales of its own yet. */
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

/** Makes a server of these programs in a folder that the next run would remove, were this one killed. */
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

/** Where the maintenance database of a running server is. */
export function serverUrl({ folder }: Cluster, password: string): string {
  return `postgres://${ROLE}:${password}@127.0.0.1:${readPostmaster(folder)?.port}/postgres`;
}

/** A folder for servers, which the next run removes with all that runs in it, were this one killed. */
export async function makeServerFolder() {
  await removeAbandonedServers();
  const user = await findUnprivilegedUser();
  const root = await mkdtemp(join(memoryFolder(), FOLDER_PREFIX));
  await chmod(root, 0o711);
  await giveTo(user, root);
  const presence = new Presence(join(root, 'users'));
  presence.announce();
  const password = randomBytes(12).toString('hex');
  const passwordFile = join(root, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  await giveTo(user, passwordFile);
  return { root, user, password, passwordFile };
}

/** A killed run leaves its server and folder behind: the next run ends and removes them. */
async function removeAbandonedServers(): Promise<void> {
  for (const folder of new Set([memoryFolder(), tmpdir()])) {
    const names = await readdir(folder);
    for (const name of names.filter((each) => each.startsWith(FOLDER_PREFIX))) {
      // A run that is just beginning has no `users` yet; another person's run is not ours to end.
      await removeWhenAbandoned(join(folder, name)).catch(() => undefined);
    }
  }
}

async function removeWhenAbandoned(root: string): Promise<void> {
  const users = join(root, 'users');
  if (!existsSync(users) || !new Presence(users).leave()) return;
  for (const name of await readdir(root)) {
    const running = readPostmaster(join(root, name));
    if (running) process.kill(running.pid, 'SIGQUIT');
  }
  await rm(root, { recursive: true, force: true });
}
