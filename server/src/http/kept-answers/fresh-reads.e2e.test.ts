import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { runCommand } from '../../../testing/run-command.ts';
import { type ServerProcess, startServer } from '../../../testing/server-process.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';

let test: TestDatabase;
let server: ServerProcess;

beforeAll(async () => {
  test = await createTestDatabase();
  server = await startServer(
    { DATABASE_URL: test.url, RATE_LIMIT_PUBLIC_PER_MINUTE: '0', LOG_LEVEL: 'warn' },
    { entry: 'real' },
  );
}, 120_000);
afterAll(async () => {
  await server?.end('SIGTERM');
  await test?.close();
});

/** Asks until the answer is sent from memory, and returns its tag. */
async function tagOf(url: string): Promise<string> {
  await fetch(url);
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  return answer.headers.get('etag') ?? '';
}

describe('a server that keeps its answers', () => {
  it('sends nothing from before a change that was acknowledged while it was frozen', async () => {
    const listing = await makeListing(test.database, { stars: 1 });
    const url = `${server.baseUrl}/api/agents/${listing.agentId}`;
    for (let round = 2; round <= 6; round += 1) {
      const tag = await tagOf(url);
      process.kill(server.pid, 'SIGSTOP');
      await test.database.query('UPDATE listing SET stars = $2 WHERE subject_id = $1', [listing.id, round]);
      const asked = fetch(url, { headers: { 'if-none-match': tag } });
      // Another answer of the database lies between the request and the process's going on.
      await test.database.query('SELECT 1');
      process.kill(server.pid, 'SIGCONT');

      const answer = await asked;
      expect(answer.status).toBe(200);
      expect((await answer.json()).repoHost.stars).toBe(round);
    }
  });

  it('sends nothing from before a command that has ended', async () => {
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
