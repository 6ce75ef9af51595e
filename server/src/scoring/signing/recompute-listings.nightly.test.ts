import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../../../../sdk/test/command-run.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { importFiles } from '../../intake/import/import-files.ts';
import { packageFile } from '../../platform/package-files.ts';
import { embeddedBackend } from '../embedded/embedded-backend.ts';
import { createScoreSigner } from './score-signer.ts';
import { signCurrentScore } from './sign-current-score.ts';
import { createKey, parseKeySet } from './signing-keys.ts';

/** Folder of the listings to import: the whole data set if LISTINGS_DIR is set, otherwise the sample. */
const LISTINGS = process.env.LISTINGS_DIR ?? packageFile('sample');
const MOST_SUBJECTS = 1_000;
const TIMEOUT_MS = 600_000;

let test: TestDatabase;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trust-directory-recompute-'));
  test = await createTestDatabase();
  const files = readdirSync(LISTINGS)
    .filter((name) => /^(listings|creators|accounts|artifacts|relations).*\.ndjson$/.test(name))
    .map((name) => join(LISTINGS, name));
  await importFiles(test.database, embeddedBackend, files, { rejectsPath: join(folder, 'rejects.ndjson') });
}, TIMEOUT_MS);
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true });
});

it(
  'the signed score of every listing is computed again, offline and by the command line, with the same result',
  async () => {
    const signer = createScoreSigner(
      'https://directory.example',
      parseKeySet(JSON.stringify(createKey()), 'the key of this test'),
    );
    const subjects = await test.database.query<{ id: string; name: string }>(
      'SELECT id, name FROM subject WHERE current_version IS NOT NULL ORDER BY id LIMIT $1',
      [MOST_SUBJECTS],
    );
    const path = join(folder, 'score.jws');
    const different: string[] = [];

    for (const { id, name } of subjects) {
      const signed = await signCurrentScore(test.database, signer, { id, name, repository: null });
      await writeFile(path, signed?.jws ?? '');
      const { exitCode, stdout, stderr } = await runCommand(['recompute', path, '--json']);
      if (exitCode !== 0) different.push(`${name}: ${stdout}${stderr}`);
    }

    expect(subjects.length).toBeGreaterThan(100);
    expect(different).toEqual([]);
  },
  TIMEOUT_MS,
);
