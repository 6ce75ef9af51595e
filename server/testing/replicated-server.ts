import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { postgresProcesses, signalAll } from '../../ops/ha/node-processes.ts';
import { migrateUp } from '../src/platform/database/migrate.ts';
import {
  type Cluster,
  initialiseCluster,
  ROLE,
  startCluster,
  stopCluster,
} from '../src/platform/embedded-postgres/cluster.ts';
import { changeOwner, findBinaries } from '../src/platform/embedded-postgres/postgres-programs.ts';
import { readPostmaster } from '../src/platform/embedded-postgres/server-processes.ts';
import { makeServerFolder, serverUrl, TEST_SETTINGS } from './test-server.ts';

/** Streaming replica that a test controls. */
export interface TestReplica {
  /** URL of the same database as the primary's. */
  readonly url: string;
  /** Runs a statement of the test on it and returns the rows. */
  ask<Row extends object>(sql: string): Promise<Row[]>;
  /** Pauses or resumes replay. */
  pause(paused: boolean): Promise<void>;
  /** Resolves when it has replayed everything the primary has now. */
  caughtUp(): Promise<void>;
  /** Kills its processes with SIGKILL, like a power cut. */
  kill(): Promise<void>;
  /** Starts it again on the same port, with further settings. */
  start(settings?: Readonly<Record<string, string>>): Promise<void>;
  /** Pauses its processes (SIGSTOP), or lets them continue (SIGCONT). */
  freeze(frozen: boolean): void;
  promote(): Promise<void>;
  /** Streams from another server instead of the primary; resolves when it does. */
  streamFrom(url: string): Promise<void>;
  /** Statements it has received since its start, each as application name, equals sign, SQL. */
  statements(): Promise<string[]>;
}

/** PostgreSQL with a migrated database, and replicas that stream from it. */
export interface ReplicatedServer {
  /** URL of the migrated database. */
  readonly url: string;
  readonly replicas: readonly TestReplica[];
  stop(): Promise<void>;
}

const DATABASE = 'trust_directory';
/** Settings without disk waits; commits are confirmed when flushed. */
const SETTINGS = { ...TEST_SETTINGS, synchronous_commit: 'local', max_connections: '100' };
/** Logs every statement with the application name in front. */
const REPLICA_SETTINGS = { ...SETTINGS, hot_standby: 'on', log_statement: 'all', log_line_prefix: '%a=' };
const BY_TEST = 'the-test';
const POLL_MS = 10;

/** Starts a server with replicas: copies of its folder, so that only the server's own program is needed. */
export async function startReplicatedServer(count = 1): Promise<ReplicatedServer> {
  const { root, user, password, passwordFile } = await makeServerFolder();
  const binaries = await findBinaries();
  const primary: Cluster = { folder: join(root, 'primary'), binaries, user };
  await initialiseCluster(primary, passwordFile, { sync: false });
  await startCluster(primary, SETTINGS);
  await execute(serverUrl(primary, password), `CREATE DATABASE ${DATABASE}`);
  await migrateUp(databaseUrl(serverUrl(primary, password)));
  await stopCluster(primary);
  const clusters = Array.from({ length: count }, (_, place): Cluster => {
    return { folder: join(root, `replica${place + 1}`), binaries, user };
  });
  for (const { folder } of clusters) await promisify(execFile)('cp', ['-a', primary.folder, folder]);
  await startCluster(primary, SETTINGS);
  const url = databaseUrl(serverUrl(primary, password));
  const replicas = await Promise.all(
    clusters.map(async (cluster) => {
      await follow(cluster, new URL(url));
      return startReplica(cluster, password, url);
    }),
  );
  return {
    url,
    replicas,
    async stop() {
      for (const cluster of [...clusters, primary]) await stopCluster(cluster, 'immediate');
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function follow({ folder, user }: Cluster, primary: URL): Promise<void> {
  const settings = join(folder, 'postgresql.auto.conf');
  await writeFile(settings, `primary_conninfo = '${conninfoOf(primary)}'\n`);
  await writeFile(join(folder, 'standby.signal'), '');
  await changeOwner(user, settings);
  await changeOwner(user, join(folder, 'standby.signal'));
}

const conninfoOf = ({ hostname, port, password }: URL) =>
  `host=${hostname} port=${port} user=${ROLE} password=${password}`;

async function startReplica(cluster: Cluster, password: string, primaryUrl: string): Promise<TestReplica> {
  const start = (settings: Readonly<Record<string, string>> = {}) =>
    startCluster(cluster, { ...REPLICA_SETTINGS, ...settings });
  await start();
  const url = databaseUrl(serverUrl(cluster, password));
  const signal = (name: NodeJS.Signals) => signalAll(postgresProcesses(cluster.folder), name);
  const ask = <Row extends object>(sql: string) => execute<Row>(url, sql);
  return {
    url,
    ask,
    async pause(paused) {
      await ask(`SELECT pg_wal_replay_${paused ? 'pause' : 'resume'}()`);
      const wanted = paused ? 'paused' : 'not paused';
      await until(async () => {
        const [row] = await ask<{ state: string }>('SELECT pg_get_wal_replay_pause_state() AS state');
        return row?.state === wanted;
      });
    },
    async caughtUp() {
      const [now] = await execute<{ position: string }>(
        primaryUrl,
        'SELECT pg_current_wal_flush_lsn() AS position',
      );
      await until(async () => {
        const [row] = await ask<{ there: boolean }>(
          `SELECT pg_last_wal_replay_lsn() >= '${now?.position}' AS there`,
        );
        return row?.there === true;
      });
    },
    async kill() {
      const { pid } = readPostmaster(cluster.folder) ?? {};
      signal('SIGKILL');
      await until(async () => pid === undefined || !existsSync(`/proc/${pid}`));
    },
    start,
    freeze: (frozen) => signal(frozen ? 'SIGSTOP' : 'SIGCONT'),
    promote: async () => void (await ask('SELECT pg_promote()')),
    async streamFrom(other) {
      await ask(`ALTER SYSTEM SET primary_conninfo = '${conninfoOf(new URL(other))}'`);
      await ask('SELECT pg_reload_conf()');
      const from = `status = 'streaming' AND sender_port = ${new URL(other).port}`;
      await until(async () => (await ask(`SELECT FROM pg_stat_wal_receiver WHERE ${from}`)).length === 1);
    },
    async statements() {
      const log = await readFile(join(cluster.folder, 'server.log'), 'utf8');
      const entries = log.split(/\n(?!\t)/);
      return entries.filter((entry) => /^trust-directory[^=]*=LOG: +(statement|execute)/.test(entry));
    },
  };
}

function databaseUrl(maintenanceUrl: string): string {
  const url = new URL(maintenanceUrl);
  url.pathname = `/${DATABASE}`;
  return url.href;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await wait(POLL_MS);
}

async function execute<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, application_name: BY_TEST });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
