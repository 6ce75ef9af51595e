import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type PgBouncer, startPgBouncer, withoutPgBouncer } from '../../../testing/pgbouncer.ts';
import { type ReplicatedServer, startReplicatedServer } from '../../../testing/replicated-server.ts';
import { requireReplicas } from './replicated-reads.ts';

let server: ReplicatedServer;

const AT_ONCE = { seconds: 0, onWait: () => undefined };
const requireNow = (urls: readonly string[], databaseUrl: string) =>
  requireReplicas(urls, databaseUrl, AT_ONCE);

beforeAll(async () => {
  server = await startReplicatedServer(0);
}, 120_000);
afterAll(() => server?.stop());

it('a start refuses an address of another cluster, and one of another database, with a clear sentence', async () => {
  const foreign = inject('testServerUrl');
  const maintenance = new URL(server.url);
  maintenance.pathname = '/postgres';

  await expect(requireNow([foreign], server.url)).rejects.toThrow(
    /^DATABASE_READ_URLS names 127\.0\.0\.1:\d+, which is not usable as a replica: it belongs to another cluster than DATABASE_URL\./,
  );
  await expect(requireNow([maintenance.href], server.url)).rejects.toThrow(/its database is postgres/);
  await expect(requireNow([foreign], server.url)).rejects.not.toThrow(new URL(foreign).password);
});

it.skipIf(withoutPgBouncer)(
  `and one behind a pooler${withoutPgBouncer ? `: ${withoutPgBouncer}` : ''}`,
  async () => {
    const pooler: PgBouncer = await startPgBouncer(server.url, 'transaction');

    await expect(requireNow([pooler.url], server.url)).rejects.toThrow(/it is behind a pooler/);
    await pooler.stop();
  },
);

it('says what to do if the database itself cannot report its cluster', async () => {
  const nowhere = new URL(server.url);
  nowhere.port = '1';
  const limited = new URL(server.url);
  [limited.username, limited.password] = ['may_not_ask', 'secret'];
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(
    "CREATE ROLE may_not_ask LOGIN PASSWORD 'secret'; REVOKE EXECUTE ON FUNCTION pg_control_system() FROM public",
  );
  await admin.end();

  await expect(requireNow([server.url], nowhere.href)).rejects.toThrow(
    /^DATABASE_READ_URLS lists replicas, but the server of DATABASE_URL does not report which cluster it is: .*ECONNREFUSED.*\. To compare each replica with it, check DATABASE_URL, or unset DATABASE_READ_URLS\.$/,
  );
  await expect(requireNow([server.url], limited.href)).rejects.toThrow(
    /permission denied for function pg_control_system\. .*GRANT EXECUTE ON FUNCTION pg_control_system\(\) TO …\), or unset DATABASE_READ_URLS\.$/,
  );
});

it('accepts an unreachable replica, which may start later', async () => {
  const nowhere = new URL(server.url);
  nowhere.port = '1';

  await expect(requireNow([nowhere.href, server.url], server.url)).resolves.toBeUndefined();
});
