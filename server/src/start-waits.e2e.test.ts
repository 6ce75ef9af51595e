import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Server } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { logOf, startServer } from '../testing/server-process.ts';

const REFUSED = 3;

let test: TestDatabase;
let line: Server;
let refused: number;

/** A line to the database that ends its first connections, as a server in the middle of a failover does. */
beforeEach(async () => {
  test = await createTestDatabase();
  refused = 0;
  line = createServer((near) => {
    near.on('error', () => near.destroy());
    if (refused < REFUSED) {
      refused += 1;
      near.destroy();
      return;
    }
    const { hostname, port } = new URL(test.url);
    const far = dial(Number(port), hostname);
    far.on('error', () => near.destroy());
    far.pipe(near).pipe(far);
  });
  line.listen(0, '127.0.0.1');
  await once(line, 'listening');
});
afterEach(async () => {
  line.close();
  await test.close();
});

it('a start waits for a database that does not answer yet, and says so once', {
  timeout: 120_000,
}, async () => {
  const url = new URL(test.url);
  url.host = `127.0.0.1:${(line.address() as AddressInfo).port}`;

  const server = await startServer({ DATABASE_URL: url.href }, { entry: 'real' });
  const told = logOf(server).filter(({ msg }) => msg.includes('does not answer yet'));
  await server.end('SIGTERM');

  expect(refused).toBe(REFUSED);
  expect(told).toEqual([expect.objectContaining({ level: 40, seconds: 30 })]);
});
