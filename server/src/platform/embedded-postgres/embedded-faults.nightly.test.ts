import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type EmbeddedWorkspace,
  type PreparedFolder,
  prepareFolder,
  query,
} from '../../../testing/embedded-workspace.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { openDatabase } from './embedded-postgres.ts';
import { readPostmaster, removeStaleServerLock } from './server-processes.ts';

const onLinux = process.platform === 'linux';

let prepared: PreparedFolder;
let work: EmbeddedWorkspace;

beforeAll(async () => {
  prepared = await prepareFolder();
});
afterAll(() => prepared.remove());
beforeEach(async () => {
  work = await prepared.workspace();
  await work.usePrepared();
});
afterEach(() => work.close());

const lockFile = () => join(work.folder, 'postmaster.pid');

/** Returns the error shown to an operator whose server cannot start. */
async function refusal(): Promise<string> {
  const opened = await openDatabase({ databaseUrl: null, dataDir: work.root }).catch((error: Error) => error);
  if (opened instanceof Error) return opened.message;
  await opened.stop();
  return 'it started';
}

/** Contents of a postmaster.pid that name no server. */
const LEFT_BEHIND = [
  '',
  '\n\n\n',
  'garbage',
  '-1\n/x\n1\n5432\n\n127.0.0.1\n\nready\n',
  '0',
  '1e3',
  '\0\0\0\0',
];

describe('the embedded server starts all the same', () => {
  it.each(sampleUnlessNightly(LEFT_BEHIND, (_, index) => index % 3 === 0))(
    'where a killed one left %j in its postmaster.pid',
    async (content) => {
      await writeFile(lockFile(), content);

      const { url, startedHere } = await work.open();

      expect(startedHere).toBe(true);
      expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    },
  );

  it('after a first start that was killed, whose old drafts it takes away', async () => {
    const draft = (number: number) => `postgres.0000000${number}-0000-4000-8000-000000000000`;
    for (const name of [draft(1), draft(2), 'postgres.mine']) {
      await mkdir(join(work.root, name, 'base'), { recursive: true });
      if (name !== draft(2)) await utimes(join(work.root, name), 0, 0);
    }

    await work.open();

    expect([draft(1), draft(2), 'postgres.mine'].map((name) => existsSync(join(work.root, name)))).toEqual([
      false,
      true,
      true,
    ]);
  });
});

it.runIf(onLinux)('a garbled postmaster.pid stays while a server works in its folder', async () => {
  await work.open();
  const content = await readFile(lockFile(), 'utf8');
  await writeFile(lockFile(), '');

  await removeStaleServerLock(work.folder);

  expect(existsSync(lockFile())).toBe(true);
  await writeFile(lockFile(), content);
  expect(readPostmaster(work.folder)?.ready).toBe(true);
});

describe('an operator is told what is wrong with the data folder, and what to do', () => {
  it.each([
    [
      'of another version',
      '9.6\n',
      /was initialized by PostgreSQL version 9\.6, and the embedded one is version \d+: export it with that version/,
    ],
    ['that is empty', '', /PG_VERSION in .* is damaged: .*write \d+ into it/],
    ['that is garbled', '\0\0x', /PG_VERSION in .* is damaged: .*write \d+ into it/],
    ['that is missing', null, /PG_VERSION in .* is missing: .*write \d+ into it/],
  ])('whose PG_VERSION is one %s', async (_what, content, sentence) => {
    const file = join(work.folder, 'PG_VERSION');
    if (content === null) await rm(file);
    else await writeFile(file, content);

    const told = await refusal();

    expect(told).toMatch(sentence);
    expect(told).toContain('set DATABASE_URL');
  });

  it('that is half made', async () => {
    await rm(join(work.folder, 'global', 'pg_control'));
    expect(await refusal()).toMatch(
      /is not a complete PostgreSQL data folder \(global\/pg_control is missing\): .* move the folder away/,
    );

    await rm(work.folder, { recursive: true });
    await mkdir(join(work.folder, 'base'), { recursive: true });
    expect(await refusal()).toMatch(/\(PG_VERSION and global\/pg_control is missing\)/);
  });

  it.each([
    ['lost', null],
    ['empty', ''],
    ['another', 'wrong\n'],
  ])('whose password is %s', async (_what, content) => {
    const file = join(work.root, 'postgres-password');
    await rm(file);
    if (content !== null) await writeFile(file, content, { mode: 0o600 });

    expect(await refusal()).toContain(
      `The password in ${file} does not open the database in ${work.folder}: restore the original file`,
    );
  });

  it('that is a file', async () => {
    await rm(work.root, { recursive: true });
    await writeFile(work.root, '');

    expect(await refusal()).toMatch(
      /DATA_DIR .* cannot be used: .*\. A file is where a folder should be: set DATA_DIR/,
    );
  });
});

describe('a process that may open too few files', () => {
  it.runIf(onLinux).each(['server/main.js', 'command-line/cli.js'])(
    '(%s) says so, and what to do, in one line',
    async (entry) => {
      const file = new URL(`../../../dist/${entry}`, import.meta.url).pathname;
      const child = spawn('sh', ['-c', `ulimit -n 100; exec "${process.execPath}" "${file}"`], {
        env: { ...process.env, DATA_DIR: work.root },
      });
      let output = '';
      child.stderr.on('data', (chunk: Buffer) => {
        output += chunk;
      });

      const code = await new Promise((resolve) => child.once('close', resolve));

      expect(code).toBe(1);
      expect(output).toMatch(
        /^This process may open only 100 files at once, and it needs 512 or more: run "ulimit -n 4096".*\n$/,
      );
    },
  );
});
