import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { logOf, startServer } from '../testing/server-process.ts';

/** Part of the query with which the start compares replicas with the primary. It is sent at no other time. */
const IDENTITY = 'AS cluster, current_database()';
/** Text of a query that the start sends once it has its pool. */
const PLANS = 'p.name <> ALL';
/** URL of a replica that does not run yet: the start tries it and continues without it. */
const NO_REPLICA = 'postgres://reader:secret@127.0.0.1:1/anything';

let test: TestDatabase;
let line: Server;
let url: string;
/** Sessions to end, in this order: a text ends the next session that sends it, null the next connection. */
let ends: (string | null)[];
let ended: number;

/** Opens a proxy to the database that ends sessions, like a server during a failover. */
beforeEach(async () => {
  test = await createTestDatabase();
  ended = 0;
  line = createServer((near) => {
    near.on('error', () => near.destroy());
    if (endsAt(near, null)) return;
    const { hostname, port } = new URL(test.url);
    const far = dial(Number(port), hostname);
    far.on('error', () => near.destroy());
    near.on('close', () => far.destroy());
    near.on('data', (data) => {
      if (!endsAt(near, data)) far.write(data);
    });
    far.pipe(near);
  });
  line.listen(0, '127.0.0.1');
  await once(line, 'listening');
  const address = new URL(test.url);
  address.host = `127.0.0.1:${(line.address() as AddressInfo).port}`;
  url = address.href;
});
afterEach(async () => {
  line.close();
  await test.close();
});

function endsAt(near: Socket, sent: Buffer | null): boolean {
  const asking = ends[ended];
  if (asking === undefined || (asking === null) !== (sent === null)) return false;
  if (asking !== null && !sent?.includes(asking)) return false;
  ended += 1;
  near.destroy();
  return true;
}

const waitsOf = async (env: Record<string, string> = {}) => {
  const server = await startServer({ DATABASE_URL: url, ...env }, { entry: 'real' });
  const told = logOf(server).filter(({ msg }) => msg.includes('does not answer yet'));
  await server.end('SIGTERM');
  return told;
};
const ONCE = [expect.objectContaining({ level: 40, seconds: 30 })];

describe('a start', { timeout: 120_000 }, () => {
  it('waits for a database that does not answer yet, and says so once', async () => {
    ends = [null, null, null];

    expect(await waitsOf()).toEqual(ONCE);

    expect(ended).toBe(3);
  });

  it('waits also where the database goes away again before replicas and plans are checked, and says so once', async () => {
    ends = [null, IDENTITY, IDENTITY, PLANS, PLANS];

    expect(await waitsOf({ DATABASE_READ_URLS: NO_REPLICA })).toEqual(ONCE);

    expect(ended).toBe(5);
  });

  it('that may not wait ends with one sentence where the database goes away before the plans are checked', async () => {
    ends = [PLANS];

    await expect(waitsOf({ DATABASE_START_TIMEOUT_SECONDS: '0' })).rejects.toThrow(
      /The database that DATABASE_URL names cannot be used: (Connection terminated unexpectedly|read ECONNRESET)\. See that the host .*\.\n$/,
    );
    expect(ended).toBe(1);
  });

  it('that may not wait ends with one sentence where the database goes away before replicas are checked', async () => {
    ends = [IDENTITY];

    const env = { DATABASE_READ_URLS: NO_REPLICA, DATABASE_START_TIMEOUT_SECONDS: '0' };

    await expect(waitsOf(env)).rejects.toThrow(
      /DATABASE_READ_URLS lists replicas, but the server of DATABASE_URL does not report which cluster it is: (Connection terminated unexpectedly|read ECONNRESET)\. To compare each replica with it, check DATABASE_URL, or unset DATABASE_READ_URLS\.\n$/,
    );
    expect(ended).toBe(1);
  });
});
