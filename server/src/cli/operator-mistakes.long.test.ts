import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { runCommandHere } from '../../testing/run-command-here.ts';
import { createProgram } from './program.ts';

let test: TestDatabase;
let folder: string;

beforeAll(async () => {
  test = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'trust-directory-mistakes-'));
  await writeFile(join(folder, 'broken.json'), '{');
  await writeFile(join(folder, 'empty.json'), '{"plans": {}}');
  await writeFile(join(folder, 'one.ndjson'), '');
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true });
});

/** Runs the command in this process. Replaces FOLDER by the path of the test's folder. */
function run(line: string, env: Readonly<Record<string, string>> = {}) {
  const filled = Object.fromEntries(
    Object.entries(env).map(([name, text]) => [name, text.replace('FOLDER', folder)]),
  );
  const args = line.split(' ').map((arg) => arg.replace('FOLDER', folder));
  return runCommandHere(args, { DATABASE_URL: test.url, ...filled });
}

interface Leaf {
  path: string[];
  command: Command;
}

/** Lists the commands without subcommands, with the words that call them. */
function leavesOf(command: Command, path: string[] = []): Leaf[] {
  if (command.commands.length === 0) return [{ path, command }];
  return command.commands.flatMap((each) => leavesOf(each, [...path, each.name()]));
}

/** Returns the flags of the first required option of a command; undefined without one. */
const requiredOf = ({ options }: Command) => options.find(({ mandatory }) => mandatory)?.flags;

const NO_DATABASE = 'postgres://nobody@127.0.0.1:1/none';

describe('an operator’s mistake ends a command with one message that says what to do', () => {
  it.each<[string, Record<string, string>, RegExp]>([
    [
      'import FOLDER/none.ndjson',
      {},
      /^.*none\.ndjson can't be read: the file does not exist: check the path$/,
    ],
    ['import FOLDER', {}, /^.* has no OSV records: name a folder of them, or files to import$/],
    [
      'import FOLDER/one.ndjson --rejects FOLDER/none/rejects.ndjson',
      {},
      /^.*rejects\.ndjson can't be written: the folder .*none does not exist\. Create it, or choose another path with --rejects$/,
    ],
    ...['yesterday', '2026-02-31', '2026-13-01', '2999-01-01'].map(
      (time): [string, Record<string, string>, RegExp] => [
        `import FOLDER/one.ndjson --read-at ${time}`,
        {},
        /Write a day such as 2026-11-20, or a time such as 2026-11-20T09:30:00Z, that is not in the future\./,
      ],
    ),
    [
      'database export FOLDER/none/whole.gz',
      {},
      /^.*whole\.gz cannot be written \(ENOENT\): create its folder, or specify a file in an existing one\. Nothing was exported\.$/,
    ],
    [
      'database restore FOLDER/none.gz',
      {},
      /^.*none\.gz cannot be read: .* Specify a file that "database export" has written\.$/,
    ],
    [
      'migrate --down-to 0001',
      {},
      /^The database has no migration "0001"\. It has 0075-baseline to .*: name one of them in full\. Nothing was changed\.$/,
    ],
    [
      'accounts list',
      { DATABASE_URL: NO_DATABASE },
      /^The database that DATABASE_URL names cannot be used: .*ECONNREFUSED.*\. Start PostgreSQL there, or correct/,
    ],
    [
      'migrate',
      { DATABASE_URL: NO_DATABASE },
      /^The database that DATABASE_URL names cannot be used: .*\. Start PostgreSQL there, or correct/,
    ],
    [
      'database export FOLDER/whole.gz',
      { DATABASE_URL: NO_DATABASE },
      /^The database that DATABASE_URL names cannot be used: .*\. Start PostgreSQL there, or correct/,
    ],
    [
      'accounts list',
      { PLANS_FILE: '/none/plans.json' },
      /^PLANS_FILE cannot be read: ENOENT.*\. Name an existing file, or unset it to use/,
    ],
    [
      'accounts list',
      { PLANS_FILE: 'FOLDER/broken.json' },
      /^PLANS_FILE \/.*broken\.json is not valid JSON: .*\. Correct it there\.$/,
    ],
    [
      'accounts list',
      { PLANS_FILE: 'FOLDER/empty.json' },
      /^PLANS_FILE \/.*empty\.json is not a valid list of plans: .*'prices'.*\. Correct it there\.$/,
    ],
    [
      'accounts list',
      { DATABASE_URL: '', DATA_DIR: 'FOLDER/broken.json' },
      /^DATA_DIR \/.*broken\.json cannot be used: .*\. A file is where a folder should be: set DATA_DIR to a folder, or set DATABASE_URL/,
    ],
    [
      'accounts list',
      { DATABASE_URL: '', DATA_DIR: '/proc/self' },
      /^DATA_DIR \/proc\/self cannot be used: ENOENT.*, open .*\. No file can be created in the folder: set DATA_DIR to one on a writable disk, or set DATABASE_URL/,
    ],
    [
      'accounts list',
      { DATABASE_URL: '', DATA_DIR: '/proc/none/data' },
      /^DATA_DIR \/proc\/none\/data cannot be used: ENOENT.*, mkdir '\/proc\/none'\. The folder cannot be created: create it yourself, or set DATA_DIR to one on a writable disk, or set DATABASE_URL/,
    ],
  ])('%s %j', async (line, env, sentence) => {
    const { code, stderr } = await run(line, env);

    expect(code).toBe(1);
    expect(stderr.trimEnd()).toMatch(sentence);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it.each([
    ['sign-in-link', 'The option --account <handle> is missing: add it.'],
    ['sign-in-link --account', 'The option --account <handle> has no value: write one after it.'],
    ['import', 'The argument <files> is missing: add it.'],
    [
      'adjust --account acme --bucket 1 --credits 1.5 --note x',
      'The option --credits <number> cannot be "1.5". It must be a whole number other than 0, from -1000000000 to 1000000000.',
    ],
    ['accounts shwo', 'There is no command shwo: correct it. Did you mean show?'],
    ['accounts list --deletd', 'There is no option --deletd: correct or remove it. Did you mean --deleted?'],
    ['accounts list all', 'The command list takes 0 arguments, not 1: remove the others.'],
    [
      'claims decide --id 1 --decision maybe',
      'The option --decision <decision> cannot be "maybe". Allowed choices are give, refuse.',
    ],
    ['overage maybe --account acme', 'There is no command maybe: correct it.'],
  ])('%s', async (line, sentence) => {
    expect(await run(line)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${sentence} Add --help to see what the command takes.\n`,
    });
  });

  it('without a required option names it, for every command', async () => {
    const commands = leavesOf(createProgram()).filter(({ command }) => requiredOf(command) !== undefined);

    const refusals = [];
    for (const { path, command } of commands) {
      const args = command.registeredArguments.map(() => 'x');
      const { code, stderr } = await runCommandHere([...path, ...args], {});
      refusals.push({ path, code, stderr });
    }

    expect(commands.length).toBeGreaterThan(15);
    expect(refusals).toEqual(
      commands.map(({ path, command }) => ({
        path,
        code: 1,
        stderr: `The option ${requiredOf(command)} is missing: add it. Add --help to see what the command takes.\n`,
      })),
    );
  });

  it('warns about a misspelled variable and continues', async () => {
    expect(await run('accounts list', { DATABSE_URL: 'x', LOG_LEVL: 'info' })).toMatchObject({
      code: 0,
      stderr:
        'DATABSE_URL is not a variable of this server and is ignored: did you mean DATABASE_URL?\n' +
        'LOG_LEVL is not a variable of this server and is ignored: did you mean LOG_LEVEL?\n',
    });
  });

  it('warns about unknown migrations and continues', async () => {
    await test.database.query("INSERT INTO schema_migration (name) VALUES ('9999-later')");

    const { code, stderr } = await run('accounts list');

    await test.database.query("DELETE FROM schema_migration WHERE name = '9999-later'");
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^The database has migrations that this version does not know \(9999-later\), .*: start that version here too, or roll back with its command "migrate --down-to 9999-later"\.$/m,
    );
  });
});
