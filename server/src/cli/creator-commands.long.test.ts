import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itAtNight } from '../../testing/at-night.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import type { CommandResult } from '../../testing/run-command.ts';
import { runCommandHere } from '../../testing/run-command-here.ts';
import { type StandInHost, startStandInHost } from '../../testing/stand-ins/stand-in-host.ts';
import { makeListing } from '../../testing/subjects/registry.factory.ts';

let test: TestDatabase;
let standIn: StandInHost;

beforeAll(async () => {
  test = await createTestDatabase();
  standIn = await startStandInHost();
  standIn.world.showsAnyRepository = true;
  await makeListing(test.database, { repository: 'acme/robot' });
  await command('accounts create --handle example-labs');
});
afterAll(async () => {
  await standIn.close();
  await test.close();
});

function command(line: string): Promise<CommandResult> {
  return runCommandHere(line.split(' '), { DATABASE_URL: test.url, HOST_API_URLS: standIn.environment });
}

const verify = (options: string) => command(`creators verify --account example-labs ${options}`);
const ACME = '--kind repo_host --host github.com --handle acme --evidence https://acme.example/proof';

describe('the creator commands', () => {
  itAtNight('refuse an account that the host does not know, and evidence that is no URL', async () => {
    expect(await verify(ACME)).toMatchObject({ code: 1, stderr: expect.stringContaining('github.com') });
    const script = ACME.replace('https://acme.example/proof', 'javascript:alert(1)');
    expect(await verify(script)).toMatchObject({ code: 1, stderr: expect.stringContaining('http') });
    expect((await command('creators list --account example-labs')).stdout).toContain('no linked accounts');
  });

  it('verify creator and listings, list the proof and remove it', async () => {
    standIn.world.account({ handle: 'Acme', id: '4711' });
    const marks = () =>
      test.database.query(
        'SELECT l.verified, c.verified AS creator FROM listing l JOIN creator c ON c.subject_id = l.creator_id',
      );

    expect(await verify(ACME)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Acme on github.com'),
    });
    expect(await marks()).toEqual([{ verified: true, creator: true }]);
    const list = await command('creators list --account example-labs');
    expect(list.stdout).toMatch(
      /repo_host +github\.com +Acme +proved +operator .*https:\/\/acme\.example\/proof/,
    );

    const [link] = await test.database.query<{ id: string }>('SELECT id FROM linked_account');
    expect(await command('creators remove --account example-labs --id nothing')).toMatchObject({ code: 1 });
    expect(await command(`creators remove --account example-labs --id ${link?.id}`)).toMatchObject({
      code: 0,
    });
    expect(await marks()).toEqual([{ verified: false, creator: false }]);
  });

  itAtNight('give an account the handle of its proved creator, and no other', async () => {
    await makeListing(test.database, { repository: 'other/robot' });
    await verify(ACME);

    expect(await command('creators handle --account example-labs --handle other')).toMatchObject({ code: 1 });
    expect(await command('creators handle --account example-labs --handle acme')).toMatchObject({ code: 0 });

    expect((await command('accounts list')).stdout).toContain('acme');
  });
});
