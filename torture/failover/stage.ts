import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Cluster, startCluster } from '../../ops/ha/cluster.ts';
import type { LineName, Node } from '../../ops/ha/node.ts';
import { connect, type Database } from '../../server/src/platform/database/connect.ts';
import { migrateUp } from '../../server/src/platform/database/migrate.ts';
import { memoryFolder } from '../../server/testing/memory-folder.ts';
import type { Arena } from '../arena.ts';
import { mustHold } from '../experiment.ts';
import { type CuttableLine, openCuttableLine } from './cuttable-line.ts';
import type { Victims } from './faults.ts';
import { patiently } from './patiently.ts';

/** A cluster with the directory's schema, in which every connection between two nodes can be cut. */
export interface Stage {
  readonly cluster: Cluster;
  /** Connection to the database through HAProxy, as the servers connect. */
  readonly database: Database;
  /** Resolves with the leader and the synchronous standby, once every other node follows the leader. */
  untilWhole(): Promise<Victims>;
  /** Lists the sessions that the servers have on nodes other than the leader. */
  strays(): Promise<string[]>;
}

const WHOLE_MS = 120_000;
const ROLE = 'trust_directory';

/** Starts a cluster, which is closed with the arena. */
export async function openStage(arena: Arena, nodes: number, synchronous: boolean): Promise<Stage> {
  const lines = new Map<string, CuttableLine>();
  arena.atEnd(() => Promise.all([...lines.values()].map((line) => line.close())));
  const cluster = await startCluster({
    nodes,
    synchronous,
    parentFolder: memoryFolder(),
    async line(node, name, port) {
      const line = await openCuttableLine(port);
      lines.set(`${node} ${name}`, line);
      return line.port;
    },
  });
  arena.atEnd(() => cluster.stop());
  // A new cluster often changes its first leader, which ends sessions; so wait until every node follows one.
  await untilWhole(cluster, synchronous);
  await patiently(() => migrateUp(cluster.url), WHOLE_MS);
  const database = connect(cluster.url, { poolSize: 4, statementTimeoutMs: 60_000 });
  arena.atEnd(() => database.close());
  const cut = (node: Node, names: readonly LineName[], isCut: boolean) => {
    for (const name of names) lines.get(`${node.plan.name} ${name}`)?.cut(isCut);
  };
  return {
    cluster,
    database,
    untilWhole: async () => ({ ...(await untilWhole(cluster, synchronous)), cut }),
    async strays() {
      const { leader } = await cluster.roles();
      const others = cluster.nodes.filter((node) => node !== leader);
      return (await Promise.all(others.map((node) => sessionsOn(cluster, node)))).flat();
    },
  };
}

async function untilWhole(cluster: Cluster, synchronous: boolean): Promise<Omit<Victims, 'cut'>> {
  const deadline = performance.now() + WHOLE_MS;
  for (;;) {
    const { leader, standby } = await wholeRoles(cluster, synchronous);
    if (leader && standby) return { leader, standby };
    mustHold(performance.now() < deadline, `the cluster is not whole: see ${cluster.folder}`);
    await sleep(200);
  }
}

/**
 * Returns the leader and the confirming standby (with asynchronous replication, any follower). The standby is null unless all
 * other nodes follow.
 */
async function wholeRoles(cluster: Cluster, synchronous: boolean) {
  const { leader, standby } = await cluster.roles();
  if (!leader) return { leader: null, standby: null };
  const followers = await ask<{ name: string; sync: string }>(
    cluster.adminUrl(leader),
    `SELECT application_name AS name, sync_state AS sync FROM pg_stat_replication
     WHERE state = 'streaming' AND NOT pg_is_in_recovery()`,
  );
  const isWhole = followers.length === cluster.nodes.length - 1;
  const confirming = followers.find(({ sync }) => sync === 'sync' || !synchronous);
  const next = cluster.nodes.find(({ plan }) => plan.name === confirming?.name) ?? null;
  return isWhole && (!synchronous || next === standby)
    ? { leader, standby: next }
    : { leader, standby: null };
}

async function sessionsOn(cluster: Cluster, node: Node): Promise<string[]> {
  const sessions = await ask<{ application_name: string; pid: number }>(
    cluster.adminUrl(node),
    `SELECT application_name, pid FROM pg_stat_activity WHERE usename = '${ROLE}'`,
  );
  return sessions.map(({ application_name, pid }) => `${node.plan.name}: ${application_name} (${pid})`);
}

/** Queries a node; returns no rows if it does not answer. */
async function ask<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const options = { connectionString: url, connectionTimeoutMillis: 1_000, query_timeout: 1_000 };
  const client = new pg.Client(options);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(sql)).rows;
  } catch {
    return [];
  } finally {
    client.end().catch(() => undefined);
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }
}
