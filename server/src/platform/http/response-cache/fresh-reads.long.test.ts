import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { fewerUnlessNightly } from '../../../../testing/nightly.ts';
import { writeListings } from '../../../../testing/outdated-copies.ts';
import { runCommand } from '../../../../testing/run-command.ts';
import { type ServerProcess, startServer } from '../../../../testing/server-process.ts';
import { makeListing } from '../../../../testing/subjects/registry.factory.ts';

let test: TestDatabase;
let server: ServerProcess;
let line: Awaited<ReturnType<typeof openLine>>;

/** Application name of the session on which the server listens for changes. */
const HEARING_SESSION = 'trust-directory changes';

/** Opens a proxy to the database that can hold back the notifications of changes, and forwards everything else. */
async function openLine(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const hearing = new Set<Socket>();
  const listener = createServer((near) => {
    const far = dial(Number(target.port), target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    near.once('data', (first) => first.includes(HEARING_SESSION) && hearing.add(far));
    far.on('close', () => hearing.delete(far)).on('data', (data) => near.write(data));
    near.on('data', (data) => far.write(data));
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    url: url.href,
    hold: () => hearing.forEach((socket) => void socket.pause()),
    release: () => hearing.forEach((socket) => void socket.resume()),
    close: () => listener.close(),
  };
}

beforeAll(async () => {
  test = await createTestDatabase();
  line = await openLine(test.url);
  server = await startServer(
    { DATABASE_URL: line.url, RATE_LIMIT_PUBLIC_PER_MINUTE: '0', LOG_LEVEL: 'warn' },
    { entry: 'real' },
  );
}, 120_000);
afterAll(async () => {
  await server?.end('SIGTERM');
  line?.close();
  await test?.close();
});

/** Requests a URL until it is served from the cache, and returns its tag. */
async function tagOf(url: string): Promise<string> {
  await fetch(url);
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  return answer.headers.get('etag') ?? '';
}

describe('a server with a response cache', () => {
  it('serves nothing older than a change that was confirmed while it was frozen', async () => {
    const listing = await makeListing(test.database, { stars: 1 });
    const url = `${server.baseUrl}/api/agents/${listing.agentId}`;
    for (let round = 2; round <= fewerUnlessNightly(3, 6); round += 1) {
      const tag = await tagOf(url);
      process.kill(server.pid, 'SIGSTOP');
      // The request may reach the process before the notification does.
      line.hold();
      await writeListings(test.database, 'UPDATE listing SET stars = $2 WHERE subject_id = $1', [
        listing.id,
        round,
      ]);
      const asked = fetch(url, { headers: { 'if-none-match': tag } });
      // A round trip to the database lies between the request and the resumption of the process.
      await test.database.query('SELECT 1');
      process.kill(server.pid, 'SIGCONT');

      const answer = await asked;
      line.release();
      expect(answer.status).toBe(200);
      expect((await answer.json()).repoHost.stars).toBe(round);
    }
  });

  it('serves nothing older than a command that has ended', async () => {
    const listing = await makeListing(test.database, { repository: 'taken/out' });
    const url = `${server.baseUrl}/api/agents/${listing.agentId}`;
    const tag = await tagOf(url);

    const { code, stderr } = await runCommand(
      ['listings', 'delist', 'taken/out', '--reason', 'asked for by its owner'],
      { DATABASE_URL: test.url },
    );
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const answer = await fetch(url, { headers: { 'if-none-match': tag } });

    expect([404, 410]).toContain(answer.status);
  });
});
