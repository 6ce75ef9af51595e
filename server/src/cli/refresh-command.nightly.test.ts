import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFilledDatabase, type TestDatabase } from '../../testing/database.ts';
import { makeListing } from '../../testing/factories.ts';
import { startNode } from '../../testing/node-process.ts';
import { runCommand } from '../../testing/run-command.ts';
import { type StandInHost, startStandInHost } from '../../testing/stand-ins/stand-in-host.ts';

const NAMES = ['one', 'two', 'three'];

let test: TestDatabase;
let standIn: StandInHost;

beforeEach(async () => {
  test = await createFilledDatabase('three listings', async ({ database }) => {
    for (const name of NAMES) await makeListing(database, { owner: `maker-${name}`, name });
  });
  standIn = await startStandInHost();
  for (const name of NAMES) {
    standIn.world.repository({ name: `maker-${name}/${name}`, stars: 4_321 });
  }
});
afterEach(async () => {
  await standIn.close();
  await test.close();
});

const environment = () => ({ DATABASE_URL: test.url, HOST_API_URLS: standIn.environment });
const refresh = (...args: string[]) => runCommand(['refresh', ...args], environment());

describe('the command refresh', () => {
  it('reads due listings, prints a summary, and then has nothing left to do', async () => {
    const first = await refresh('--limit', '2');
    const second = await refresh();
    const third = await refresh();

    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Repositories: read 2.\n'),
    });
    expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('Repositories: read 1.\n') });
    expect(third).toMatchObject({ code: 0, stdout: 'Nothing was read.\n' });
    const scored = await test.database.query(
      'SELECT FROM listing JOIN listing_rank USING (subject_id) WHERE stars = 4321 AND score_version IS NOT NULL',
    );
    expect(scored).toHaveLength(3);
  });

  it('releases unread listings on Ctrl-C and exits with 130', async () => {
    standIn.trouble({ kind: 'stall' });
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, ...environment() };
    const command = startNode({
      file: new URL('../../dist/command-line/cli.js', import.meta.url),
      args: ['refresh'],
      env,
    });
    while (standIn.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));

    command.signalGroup('SIGINT');

    expect((await command.ended).code).toBe(130);
    expect(command.output()).toContain('3 are still due: run the command again to continue.');
    const claimed = await test.database.query(
      'SELECT FROM repository_refresh WHERE lease_id IS NOT NULL OR failures > 0',
    );
    expect(claimed).toEqual([]);
  });

  it('ends if a host limits requests, and says for how long', async () => {
    standIn.trouble({ kind: 'answer', status: 429, headers: { 'retry-after': '900' } });

    const { code, stdout } = await refresh();

    expect(code).toBe(0);
    expect(stdout).toContain('A host limits requests for 900 s; use --wait to wait for it.');
  });
});
