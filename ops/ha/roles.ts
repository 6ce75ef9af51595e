import type { Node } from './node.ts';

/** Leader of a cluster, and the standby that confirms its commits and may lead next. */
export interface Roles {
  readonly leader: Node | null;
  readonly standby: Node | null;
}

/** Reads the roles from etcd, with version 2 of its API. */
export async function readRoles(etcdPort: number, nodes: readonly Node[]): Promise<Roles> {
  const named = (name: unknown) => nodes.find(({ plan }) => plan.name === name) ?? null;
  const [leader, sync] = await Promise.all([readKey(etcdPort, 'leader'), readKey(etcdPort, 'sync')]);
  const { sync_standby: standby } = JSON.parse(sync ?? '{}') as { sync_standby?: string | null };
  return { leader: named(leader), standby: named(standby) };
}

async function readKey(etcdPort: number, key: string): Promise<string | null> {
  const answer = await fetch(`http://127.0.0.1:${etcdPort}/v2/keys/service/trust-directory/${key}`);
  const { node } = (await answer.json()) as { node?: { value?: string } };
  return node?.value ?? null;
}
