import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { importFiles } from './import-files.ts';
import { rowVersions } from './testing/registry-state.ts';

const folder = process.env.LISTINGS_DIR ?? '';

let test: TestDatabase;
let output: string;

beforeAll(async () => {
  test = await createTestDatabase();
  output = await mkdtemp(join(tmpdir(), 'import-'));
});

afterAll(async () => {
  await test.close();
  await rm(output, { recursive: true });
});

/** Runs on a whole data set where LISTINGS_DIR names its folder; the suite has the sample and rows of its own. */
describe.runIf(folder !== '')('a whole data set', () => {
  it('is stored to the last row with its scores, and a second run writes nothing', {
    timeout: 300_000,
  }, async () => {
    const files = (await readdir(folder))
      .filter((name) => name.endsWith('.ndjson'))
      .map((name) => join(folder, name));
    const options = { rejectsPath: join(output, 'rejects.ndjson') };

    const first = await importFiles(test.database, embeddedBackend, files, options);
    const versions = await rowVersions(test.database);
    const second = await importFiles(test.database, embeddedBackend, files, options);

    for (const { read, added, changed, unchanged, rejected } of Object.values(first.kinds)) {
      expect(read).toBe(added + changed + unchanged + rejected);
    }
    expect(second.scored).toBe(0);
    expect(await rowVersions(test.database)).toEqual(versions);
    const [stored] = await test.database.query(`SELECT (SELECT count(*) FROM listing) AS listings,
      (SELECT count(*) FROM listing WHERE trust IS NULL) AS unscored, (SELECT count(*) FROM artifact) AS artifacts,
      (SELECT sum(difference)::int FROM listing_total) AS total, (SELECT count(*) FROM score_due) AS due`);
    const { listing, artifact } = first.kinds;
    expect(stored).toEqual({
      listings: listing.added,
      unscored: 0,
      artifacts: artifact.added,
      total: listing.added,
      due: 0,
    });
  });
});
