import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import type { CommandResult } from '../../testing/run-command.ts';
import { runCommandHere } from '../../testing/run-command-here.ts';
import { type MadeListing, makeListing } from '../../testing/subjects/registry.factory.ts';

let test: TestDatabase;
let robot: MadeListing;

beforeAll(async () => {
  test = await createTestDatabase();
  robot = await makeListing(test.database, { repository: 'acme/robot' });
  await makeListing(test.database, { repository: 'acme/other' });
});
afterAll(() => test.close());

function listings(...words: string[]): Promise<CommandResult> {
  return runCommandHere(['listings', ...words], { DATABASE_URL: test.url });
}

async function listed(): Promise<string[]> {
  const rows = await test.database.query<{ repository: string }>('SELECT repository FROM listing ORDER BY 1');
  return rows.map(({ repository }) => repository);
}

describe('the listing commands', () => {
  it('delist a listing with a reason, list delisted ones, and restore it', async () => {
    expect(await listings('delisted')).toMatchObject({ code: 0, stdout: 'nothing was delisted\n' });
    expect(await listings('delist', robot.agentId)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--reason'),
    });
    expect(await listed()).toEqual(['acme/other', 'acme/robot']);

    expect(await listings('delist', 'acme/robot', '--reason', 'It was spam')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${robot.agentId} github.com/acme/robot is delisted`),
    });
    expect(await listed()).toEqual(['acme/other']);
    expect(await listings('delist', 'acme/robot', '--reason', 'Again')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('It was spam'),
    });
    expect((await listings('delisted')).stdout).toMatch(
      new RegExp(`${robot.agentId} +github\\.com/acme/robot +\\d{4}-\\d\\d-\\d\\d +- +It was spam`),
    );

    expect(await listings('relist', robot.agentId)).toMatchObject({ code: 0 });
    expect(await listed()).toEqual(['acme/other', 'acme/robot']);
    expect(await listings('relist', robot.agentId)).toMatchObject({ code: 1 });
  });
});
