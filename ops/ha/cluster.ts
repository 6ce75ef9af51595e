import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findUnprivilegedUser, giveTo } from '../../server/src/database/embedded/unprivileged-user.ts';
import { createApplicationDatabase } from './application-database.ts';
import { startDaemon } from './daemon.ts';
import { fillTemplate } from './fill-template.ts';
import { findFreePorts } from './free-ports.ts';
import { type LineName, makeNode, type Node } from './node.ts';
import { findPrograms } from './programs.ts';

/** PostgreSQL nodes of which one leads, etcd that says which, and HAProxy that leads to it. */
export interface Cluster {
  /** The leader's database, through HAProxy, for a role that owns it. */
  readonly url: string;
  readonly folder: string;
  readonly nodes: readonly Node[];
  /** An administrator's address of one node, leader or not; past HAProxy and every line in between. */
  adminUrl(node: Node): string;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  readonly nodes?: number;
  /** Whether a commit waits for a standby; true unless a test wants to see what is lost without. */
  readonly synchronous?: boolean;
  /** Where the cluster's temporary folder is made. */
  readonly parentFolder?: string;
  /** Puts something in between: answers the port at which another port is then found. */
  readonly line?: (node: string, name: LineName, port: number) => Promise<number>;
}

const PORTS_OF_A_NODE = 2;

/** Starts a cluster on loopback under a temporary folder, and resolves once its database takes statements. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const programs = findPrograms();
  const user = await findUnprivilegedUser();
  const folder = await mkdtemp(join(options.parentFolder ?? tmpdir(), 'trust-directory-ha-'));
  await chmod(folder, 0o711);
  const count = options.nodes ?? 3;
  const ports = await findFreePorts(3 + count * PORTS_OF_A_NODE);
  const port = () => ports.pop() as number;
  const [clientPort, peerPort, balancerPort] = [port(), port(), port()];
  const endings: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const end of endings.splice(0).reverse()) await end();
  };
  const start = async (program: string, name: string, template: string, values: Record<string, string>) => {
    const file = join(folder, template);
    const text = fillTemplate(await readFile(new URL(template, import.meta.url), 'utf8'), values);
    await writeFile(file, text, { mode: 0o600 });
    await giveTo(user, file);
    const args = name === 'haproxy' ? ['-W', '-db', '-f', file] : [`--config-file=${file}`];
    const daemon = startDaemon(program, args, { user, log: join(folder, `${name}.log`), cwd: folder });
    endings.push(() => daemon.stop());
  };

  try {
    const etcdFolder = join(folder, 'etcd');
    await mkdir(etcdFolder, { mode: 0o700 });
    await giveTo(user, etcdFolder);
    await start(programs.etcd, 'etcd', 'etcd.yml', {
      NAME: 'etcd1',
      DATA_FOLDER: etcdFolder,
      CLIENT_URL: `http://127.0.0.1:${clientPort}`,
      PEER_URL: `http://127.0.0.1:${peerPort}`,
    });
    const passwords = { superuser: newPassword(), replication: newPassword() };
    const settings = { programs, user, synchronous: options.synchronous ?? true, passwords };
    const line = options.line ?? (async (_node, _name, to) => to);
    const nodes: Node[] = [];
    for (let number = 1; number <= count; number += 1) {
      const name = `node${number}`;
      const [postgresPort, restPort] = [port(), port()];
      const lines = {
        etcd: await line(name, 'etcd', clientPort),
        peers: await line(name, 'peers', postgresPort),
        checks: await line(name, 'checks', restPort),
        clients: await line(name, 'clients', postgresPort),
      };
      const plan = { name, folder: join(folder, name), postgresPort, restPort, lines };
      nodes.push(await makeNode(plan, settings));
    }
    endings.push(() => Promise.all(nodes.map((node) => node.stop())));
    for (const node of nodes) node.start();
    await start(programs.haproxy, 'haproxy', 'haproxy.cfg', {
      LISTEN: `127.0.0.1:${balancerPort}`,
      NODES: nodes.map(({ plan }) => balancedNode(plan)).join('\n'),
    });
    const adminUrl = (at: number) => `postgres://postgres:${passwords.superuser}@127.0.0.1:${at}/postgres`;
    const url = await createApplicationDatabase(adminUrl(balancerPort), newPassword());
    return { url, folder, nodes, adminUrl: ({ plan }) => adminUrl(plan.postgresPort), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const newPassword = () => randomBytes(18).toString('base64url');

function balancedNode({ name, lines }: Node['plan']): string {
  return `  server ${name} 127.0.0.1:${lines.clients} check port ${lines.checks}`;
}
