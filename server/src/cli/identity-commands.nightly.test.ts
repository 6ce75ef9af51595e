import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { runCommandHere } from '../../testing/run-command-here.ts';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

const command = (line: string) => runCommandHere(line.split(' '), { DATABASE_URL: test.url });
const ADA = '--account example-labs --issuer https://id.example --subject 42';

describe('the identity commands', () => {
  it('allow a person to sign in to an account, list the people, and remove one', async () => {
    await command('accounts create --handle example-labs');

    expect(await command(`identities add ${ADA}`)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('42 of https://id.example signs in to example-labs'),
    });
    expect(await command(`identities add ${ADA}`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('identities remove'),
    });
    expect((await command('identities list --account example-labs')).stdout).toMatch(
      /https:\/\/id\.example +42 +operator/,
    );
    expect(await command(`identities remove ${ADA}`)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('no longer signs in to example-labs'),
    });
    expect(await command(`identities remove ${ADA}`)).toMatchObject({ code: 1 });
    expect((await command('identities list --account example-labs')).stdout).toContain('no one');
  });
});
