import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFilledDatabase, type TestDatabase } from '../../testing/database.ts';
import { type NodeProcess, startNode } from '../../testing/node-process.ts';
import { runCommand } from '../../testing/run-command.ts';
import { runCommandHere } from '../../testing/run-command-here.ts';
import { usableScore } from '../../testing/stand-ins/stand-in-backend.ts';
import { makeCreator, makeListing } from '../../testing/subjects/registry.factory.ts';

/** The built command, as shipped. */
const CLI = new URL('../../dist/command-line/cli.js', import.meta.url);
const LISTINGS = 60;

let test: TestDatabase;
let backend: Server;
let scoringUrl: string;
/** Names of the subjects that the backend scored. */
let asked: string[] = [];

beforeAll(async () => {
  backend = createServer(async (message, reply) => {
    let text = '';
    for await (const chunk of message) text += chunk;
    const request = JSON.parse(text);
    asked.push(request.subject.name);
    setTimeout(() => reply.end(JSON.stringify(usableScore(request))), 20);
  }).listen(0, '127.0.0.1');
  await once(backend, 'listening');
  scoringUrl = `http://127.0.0.1:${(backend.address() as { port: number }).port}/score`;
});
beforeEach(async () => {
  await test?.close();
  test = await createFilledDatabase(`${LISTINGS} listings without a score`, makeListings);
  asked = [];
});
afterAll(async () => {
  backend.close().closeAllConnections();
  await test?.close();
});

async function makeListings({ database }: Pick<TestDatabase, 'database'>): Promise<void> {
  const creator = await makeCreator(database, { handle: 'maker' });
  for (let made = 0; made < LISTINGS; made += 1) {
    await makeListing(database, { creator, name: `one-${made}`, stars: 5, license: 'MIT' });
  }
}

async function scoredCount(): Promise<number> {
  const [row] = await test.database.query<{ count: number }>('SELECT count(*) AS count FROM score');
  return row?.count ?? 0;
}

describe('the command recompute', () => {
  it('scores unscored subjects with the embedded method, and finds nothing to do afterwards', async () => {
    const environment = { DATABASE_URL: test.url };

    const first = await runCommand(['recompute', '--type', 'agent', 'skill'], environment);
    const second = await runCommand(['recompute'], environment);
    const third = await runCommand(['recompute'], environment);

    expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^60 scores recorded in/m) });
    expect(second).toMatchObject({ code: 0, stdout: expect.stringMatching(/^1 scores recorded in/m) });
    expect(third).toMatchObject({ code: 0, stdout: expect.stringMatching(/^0 scores recorded in/m) });
    expect(first.stderr).toMatch(/agents and skills: 60 in/);
    expect(await scoredCount()).toBe(LISTINGS + 1);
  });

  it('stores finished scores on Ctrl-C and continues from there', async () => {
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, DATABASE_URL: test.url, SCORING_URL: scoringUrl, SCORING_TOKEN: 't' };
    const start = (): NodeProcess => startNode({ file: CLI, args: ['recompute', '--all'], env });

    const first = start();
    await expect.poll(() => asked.length, { timeout: 30_000, interval: 5 }).toBeGreaterThan(20);
    first.signal('SIGINT');
    const end = await first.ended;
    const stored = await scoredCount();
    asked = [];
    const second = start();

    expect(end).toEqual({ code: 130, signal: null });
    expect(first.output()).toMatch(/Interrupted: .* Run the same command to continue/);
    expect(stored).toBeGreaterThan(10);
    expect(stored).toBeLessThan(LISTINGS);
    expect((await second.ended).code).toBe(0);
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked).toHaveLength(LISTINGS + 1 - stored);
    expect(await scoredCount()).toBe(LISTINGS + 1);
  });

  it('does nothing while another one is running, and says so', async () => {
    const { PATH, HOME } = process.env;
    const environment = { DATABASE_URL: test.url, SCORING_URL: scoringUrl, SCORING_TOKEN: 't' };
    const first = startNode({ file: CLI, args: ['recompute'], env: { PATH, HOME, ...environment } });
    await expect.poll(() => asked.length, { timeout: 30_000, interval: 5 }).toBeGreaterThan(0);
    first.signal('SIGSTOP');

    const second = await runCommand(['recompute', '--all'], environment);
    first.signal('SIGCONT');

    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toContain('Another recompute is running on this database');
    expect((await first.ended).code).toBe(0);
    expect(new Set(asked).size).toBe(asked.length);
    expect(await scoredCount()).toBe(LISTINGS + 1);
  });

  it('reports an unreachable backend in one message, and scores nothing', async () => {
    const away = {
      DATABASE_URL: test.url,
      SCORING_URL: 'http://127.0.0.1:1/score',
      SCORING_TOKEN: 'secret-t',
    };

    const { code, stderr } = await runCommand(['recompute'], away);

    expect(code).toBe(1);
    expect(stderr).toMatch(
      /The scoring backend 127\.0\.0\.1:1 gave no usable score .* Run it again when the backend responds/,
    );
    expect(stderr).not.toMatch(/\n {4}at |secret-t/);
    expect(await scoredCount()).toBe(0);
  });

  it('refuses a type that cannot be scored', async () => {
    const { code, stderr } = await runCommandHere(['recompute', '--type', 'robot'], {
      DATABASE_URL: test.url,
    });

    expect(code).toBe(1);
    expect(stderr).toContain('Allowed choices are agent, skill, creator, social_account, messaging_account');
  });
});
