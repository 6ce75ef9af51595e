import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { runCommandHere } from '../../testing/run-command-here.ts';

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

/** Runs the command in this process; FOLDER stands for the test's folder. */
function run(line: string, env: Readonly<Record<string, string>> = {}) {
  const filled = Object.fromEntries(
    Object.entries(env).map(([name, text]) => [name, text.replace('FOLDER', folder)]),
  );
  const args = line.split(' ').map((arg) => arg.replace('FOLDER', folder));
  return runCommandHere(args, { DATABASE_URL: test.url, ...filled });
}

const NO_DATABASE = 'postgres://nobody@127.0.0.1:1/none';

describe('an operator’s mistake ends a command with one message that says what to do', () => {
  it.each<[string, Record<string, string>, RegExp]>([
    [
      'import FOLDER/none.ndjson',
      {},
      /^.*none\.ndjson can't be read: the file does not exist: check the path$/,
    ],
    ['import FOLDER', {}, /^.* is not a file: name files of newline-delimited JSON$/],
    [
      'import FOLDER/one.ndjson --rejects FOLDER/none/rejects.ndjson',
      {},
      /^.*rejects\.ndjson can't be written: the folder .*none does not exist\. Create it, or choose another path with --rejects$/,
    ],
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
      /^The database has no migration "0001"\. It has 0001-clock to .*: name one of them in full\. Nothing was changed\.$/,
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
  ])('%s %j', async (line, env, sentence) => {
    const { code, stderr } = await run(line, env);

    expect(code).toBe(1);
    expect(stderr.trimEnd()).toMatch(sentence);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
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
