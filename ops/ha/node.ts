import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changeOwner } from '../../server/src/platform/embedded-postgres/postgres-programs.ts';
import { type Daemon, startDaemon, type User } from '../daemon.ts';
import { fillTemplate } from '../fill-template.ts';
import { postgresProcesses, signalAll } from './node-processes.ts';
import type { Programs } from './programs.ts';

/**
 * Connections of a node, each of which a test can lead through a proxy and cut: the node to etcd, standbys to its
 * PostgreSQL, other nodes to its Patroni, HAProxy's checks, and clients.
 */
export type LineName = 'etcd' | 'replication' | 'members' | 'checks' | 'clients';

/** Name, folder and ports of one node. */
export interface NodePlan {
  readonly name: string;
  readonly folder: string;
  readonly postgresPort: number;
  readonly restPort: number;
  /** Ports through which others reach the node, and through which it reaches etcd. */
  readonly lines: Readonly<Record<LineName, number>>;
}

/** A node of the cluster: one PostgreSQL that one Patroni manages. */
export interface Node {
  readonly plan: NodePlan;
  /** Starts its Patroni, which starts its PostgreSQL. */
  start(): void;
  /** Sends SIGKILL to Patroni and to every process of its PostgreSQL. */
  kill(): void;
  /** Pauses Patroni and PostgreSQL (SIGSTOP), like a machine that hangs. */
  freeze(): void;
  thaw(): void;
  /** Stops Patroni, which stops its PostgreSQL. */
  stop(): Promise<void>;
}

/** Settings that all nodes of a cluster share. */
export interface NodeSettings {
  readonly programs: Programs;
  readonly user: User | null;
  readonly synchronous: boolean;
  readonly passwords: { readonly superuser: string; readonly replication: string };
}

const TEMPLATE = new URL('./patroni.yml', import.meta.url);
const STOP_MS = 20_000;

/** Writes a node's configuration from the template, without starting it. */
export async function makeNode(plan: NodePlan, settings: NodeSettings): Promise<Node> {
  const { programs, user, synchronous, passwords } = settings;
  await mkdir(plan.folder, { mode: 0o700 });
  await changeOwner(user, plan.folder);
  const dataFolder = join(plan.folder, 'data');
  const file = join(plan.folder, 'patroni.yml');
  const text = fillTemplate(await readFile(TEMPLATE, 'utf8'), {
    NAME: plan.name,
    REST_LISTEN: `127.0.0.1:${plan.restPort}`,
    REST_ADDRESS: `127.0.0.1:${plan.lines.members}`,
    ETCD_ADDRESS: `127.0.0.1:${plan.lines.etcd}`,
    ETCD_BEHIND_PROXY: 'true',
    SYNCHRONOUS: String(synchronous),
    POSTGRES_LISTEN: `127.0.0.1:${plan.postgresPort}`,
    POSTGRES_ADDRESS: `127.0.0.1:${plan.lines.replication}`,
    DATA_FOLDER: dataFolder,
    POSTGRES_PROGRAMS: programs.postgres,
    PASSWORD_FILE: join(plan.folder, 'pgpass'),
    SOCKET_FOLDER: plan.folder,
    SUPERUSER_PASSWORD: passwords.superuser,
    REPLICATION_PASSWORD: passwords.replication,
  });
  await writeFile(file, text, { mode: 0o600 });
  await changeOwner(user, file);

  let patroni: Daemon | null = null;
  const all = () => [...(patroni ? [patroni.pid] : []), ...postgresProcesses(dataFolder)];
  return {
    plan,
    start() {
      const log = join(plan.folder, '..', `${plan.name}.log`);
      patroni = startDaemon(programs.patroni, [file], { user, log, cwd: plan.folder });
    },
    kill() {
      signalAll(all(), 'SIGKILL');
      patroni = null;
    },
    freeze: () => signalAll(all(), 'SIGSTOP'),
    thaw: () => signalAll(all(), 'SIGCONT'),
    async stop() {
      signalAll(all(), 'SIGCONT');
      await patroni?.stop(STOP_MS);
      patroni = null;
      // If Patroni was killed, its PostgreSQL is still running.
      signalAll(postgresProcesses(dataFolder), 'SIGKILL');
    },
  };
}
