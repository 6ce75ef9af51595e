import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  changeOwner,
  findUnprivilegedUser,
} from '../../server/src/platform/embedded-postgres/postgres-programs.ts';
import { startDaemon, type User } from '../daemon.ts';
import { fillTemplate } from '../fill-template.ts';
import { findFreePorts } from '../free-ports.ts';
import { createApplicationDatabase } from './application-database.ts';
import { type LineName, makeNode, type Node } from './node.ts';
import { findPrograms, type Programs } from './programs.ts';
import { type Roles, readRoles } from './roles.ts';

/**
 * A cluster: PostgreSQL nodes with one leader, an etcd that stores the leader lock, and an HAProxy that forwards to the leader.
 */
export interface Cluster {
  /** URL of the leader's database through HAProxy, with the role that owns it. */
  readonly url: string;
  readonly folder: string;
  readonly nodes: readonly Node[];
  /**
   * Returns the administrator's URL of one node, whether or not it leads, without HAProxy or a proxy of `line` in
   * between.
   */
  adminUrl(node: Node): string;
  /** Reads from etcd which node has the leader's lock, and which standby may get it next; null if there is none. */
  roles(): Promise<Roles>;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  readonly nodes?: number;
  /**
   * True if a commit waits for a standby (default). With false, a failover can lose commits; a control run uses it to show
   * that the failover test detects lost commits.
   */
  readonly synchronous?: boolean;
  /** Parent of the cluster's temporary folder. */
  readonly parentFolder?: string;
  /** Puts a proxy into a connection to a port, and returns the port of the proxy. By default there is none. */
  readonly line?: (node: string, name: LineName, port: number) => Promise<number>;
}

const NODES = 3;

/** State that the parts of one cluster share while it is created. */
interface Site {
  readonly folder: string;
  readonly programs: Programs;
  readonly user: User | null;
  /** Clean-up that runs in reverse order when the cluster ends. */
  readonly endings: (() => Promise<unknown>)[];
  port(): number;
}

const PORTS_OF_A_NODE = 2;
const PORTS_BESIDES = 3;

/** Starts a cluster on loopback in a temporary folder, and resolves once its database accepts statements. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const site = await openSite(options);
  const { folder, endings } = site;
  const stop = async () => {
    for (const end of endings.splice(0).reverse()) await end();
  };
  try {
    const etcdPort = await startEtcd(site);
    const passwords = { superuser: newPassword(), replication: newPassword() };
    const nodes = await makeNodes(site, etcdPort, passwords, options);
    endings.push(() => Promise.all(nodes.map((node) => node.stop())));
    for (const node of nodes) node.start();
    const balancerPort = site.port();
    await startFromTemplate(site, 'haproxy', 'haproxy.cfg', ['-W', '-db', '-f'], {
      LISTEN: `127.0.0.1:${balancerPort}`,
      NODES: nodes.map(({ plan }) => balancedNode(plan)).join('\n'),
    });
    const adminUrl = (at: number) => `postgres://postgres:${passwords.superuser}@127.0.0.1:${at}/postgres`;
    return {
      url: await createApplicationDatabase(adminUrl(balancerPort), newPassword()),
      folder,
      nodes,
      adminUrl: ({ plan }) => adminUrl(plan.postgresPort),
      roles: () => readRoles(etcdPort, nodes),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openSite({ nodes = NODES, parentFolder = tmpdir() }: ClusterOptions): Promise<Site> {
  const programs = findPrograms();
  const user = await findUnprivilegedUser();
  const ports = await findFreePorts(PORTS_BESIDES + nodes * PORTS_OF_A_NODE);
  const folder = await mkdtemp(join(parentFolder, 'trust-directory-ha-'));
  await chmod(folder, 0o711);
  const endings = [() => rm(folder, { recursive: true, force: true })];
  return { folder, programs, user, endings, port: () => ports.pop() as number };
}

/** Fills in a template and starts the program that reads it. */
async function startFromTemplate(
  { folder, programs, user, endings }: Site,
  program: 'etcd' | 'haproxy',
  template: string,
  args: readonly string[],
  values: Record<string, string>,
): Promise<void> {
  const file = join(folder, template);
  const text = fillTemplate(await readFile(new URL(template, import.meta.url), 'utf8'), values);
  await writeFile(file, text, { mode: 0o600 });
  await changeOwner(user, file);
  const log = join(folder, `${program}.log`);
  const daemon = startDaemon(programs[program], [...args, file], { user, log, cwd: folder });
  endings.push(() => daemon.stop());
}

/** Starts etcd and returns its client port. */
async function startEtcd(site: Site): Promise<number> {
  const dataFolder = join(site.folder, 'etcd');
  await mkdir(dataFolder, { mode: 0o700 });
  await changeOwner(site.user, dataFolder);
  const clientPort = site.port();
  await startFromTemplate(site, 'etcd', 'etcd.yml', ['--config-file'], {
    NAME: 'etcd1',
    DATA_FOLDER: dataFolder,
    CLIENT_URL: `http://127.0.0.1:${clientPort}`,
    PEER_URL: `http://127.0.0.1:${site.port()}`,
  });
  return clientPort;
}

async function makeNodes(
  site: Site,
  etcdPort: number,
  passwords: { superuser: string; replication: string },
  { nodes: count = NODES, synchronous = true, line = async (_node, _name, port) => port }: ClusterOptions,
): Promise<Node[]> {
  const { programs, user, folder } = site;
  const nodes: Node[] = [];
  for (let number = 1; number <= count; number += 1) {
    const name = `node${number}`;
    const [postgresPort, restPort] = [site.port(), site.port()];
    const lines = {
      etcd: await line(name, 'etcd', etcdPort),
      replication: await line(name, 'replication', postgresPort),
      members: await line(name, 'members', restPort),
      checks: await line(name, 'checks', restPort),
      clients: await line(name, 'clients', postgresPort),
    };
    const plan = { name, folder: join(folder, name), postgresPort, restPort, lines };
    nodes.push(await makeNode(plan, { programs, user, synchronous, passwords }));
  }
  return nodes;
}

const newPassword = () => randomBytes(18).toString('base64url');

function balancedNode({ name, lines }: Node['plan']): string {
  return `  server ${name} 127.0.0.1:${lines.clients} check port ${lines.checks}`;
}
