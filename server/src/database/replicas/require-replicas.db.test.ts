import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type PgBouncer, startPgBouncer, withoutPgBouncer } from '../../../testing/pgbouncer.ts';
import { type ReplicatedServer, startReplicatedServer } from '../../../testing/replicated-server.ts';
import { requireReplicas } from './require-replicas.ts';

let server: ReplicatedServer;

beforeAll(async () => {
  server = await startReplicatedServer(0);
}, 120_000);
afterAll(() => server?.stop());

it('a start refuses an address of another cluster, and one of another database, with a clear sentence', async () => {
  const foreign = inject('testServerUrl');
  const maintenance = new URL(server.url);
  maintenance.pathname = '/postgres';

  await expect(requireReplicas([foreign], server.url)).rejects.toThrow(
    /^DATABASE_READ_URLS names 127\.0\.0\.1:\d+, which cannot be read from: it is a server of another cluster/,
  );
  await expect(requireReplicas([maintenance.href], server.url)).rejects.toThrow(/its database is postgres/);
  await expect(requireReplicas([foreign], server.url)).rejects.not.toThrow(new URL(foreign).password);
});

it.skipIf(withoutPgBouncer)(
  `and one behind a pooler${withoutPgBouncer ? `: ${withoutPgBouncer}` : ''}`,
  async () => {
    const pooler: PgBouncer = await startPgBouncer(server.url, 'transaction');

    await expect(requireReplicas([pooler.url], server.url)).rejects.toThrow(/a pooler stands before it/);
    await pooler.stop();
  },
);

it('takes one that cannot be reached: it may come', async () => {
  const nowhere = new URL(server.url);
  nowhere.port = '1';

  await expect(requireReplicas([nowhere.href, server.url], server.url)).resolves.toBeUndefined();
});
