import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { sampleUnlessNightly } from '../testing/nightly.ts';
import { startServer } from '../testing/server-process.ts';

let test: TestDatabase;
let folder: string;

beforeAll(async () => {
  test = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'trust-directory-mistakes-'));
  await writeFile(join(folder, 'broken.json'), '{');
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true });
});

/** Returns everything that a server writes to standard error before it exits by itself. */
async function refusalOf(env: Record<string, string>): Promise<string> {
  const started = startServer({ DATABASE_URL: test.url, ...env }, { entry: 'real', cwd: folder });
  const failure = await started.then(
    (server) => server.end('SIGKILL').then(() => 'it started'),
    (error: Error) => error.message,
  );
  return failure.replace('the server ended with 1: ', '').trimEnd();
}

describe('an operator’s mistake ends the start with one message that says what to do', () => {
  const MISTAKES: [mistake: string, env: () => Record<string, string>, sentence: RegExp][] = [
    [
      'an invalid address',
      () => ({ HOST: '999.1.1.1' }),
      /^The configuration cannot be used:\n- HOST is "999\.1\.1\.1": it must be an IP address .*$/,
    ],
    [
      'synonyms that are not JSON',
      () => ({ SYNONYMS_FILE: 'broken.json' }),
      /^SYNONYMS_FILE \/.*broken\.json is not valid JSON: .*\. Correct it there\.$/,
    ],
    [
      'a misspelled variable, reported before the failure that it causes',
      () => ({ DATABSE_URL: test.url, DATABASE_URL: '', DATA_DIR: 'broken.json' }),
      /^DATABSE_URL is not a variable of this server and is ignored: did you mean DATABASE_URL\?\nDATA_DIR \/.*broken\.json cannot be used: .*\.$/,
    ],
  ];

  it.each(sampleUnlessNightly(MISTAKES, ([what]) => what.startsWith('a misspelled variable')))(
    '%s',
    async (_what, env, sentence) => {
      expect(await refusalOf(env())).toMatch(sentence);
    },
  );
});
