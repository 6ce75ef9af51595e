import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { rowVersions } from '../../../testing/import/registry-state.ts';
import type { Database } from '../../platform/database/connect.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { importFiles, sampleFiles } from './import-files.ts';

/** Folder of a whole data set that is tested in addition to the sample, if set. */
const folder = process.env.LISTINGS_DIR;
const SETS: [string, () => Promise<string[]>][] = [['the sample', async () => sampleFiles()]];
if (folder) {
  SETS.push([folder, async () => (await readdir(folder)).filter(isData).map((name) => join(folder, name))]);
}

function isData(name: string): boolean {
  return name.endsWith('.ndjson');
}

interface Count {
  type: string;
  status: string;
  tier: string;
  count: number;
  /** Minimum, median and maximum. */
  trust: string;
  confidence: string;
}

function scoresOf(database: Database): Promise<Count[]> {
  return database.query<Count>(
    `SELECT c.subject_type AS type, c.status, c.tier, count(*)::int AS count, ${spread('trust')}, ${spread('confidence')}
     FROM score c JOIN subject s ON s.id = c.subject_id AND s.current_version = c.version
     GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  );
}

function spread(column: 'trust' | 'confidence'): string {
  const quantiles = `percentile_disc(ARRAY[0, 0.5, 1]) WITHIN GROUP (ORDER BY c.${column})`;
  return `array_to_string(${quantiles}, ' – ') AS ${column}`;
}

describe.each(SETS)('real listings of %s', (_name, findFiles) => {
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

  it('are all accepted by the scorer and stored to the last row; a second run writes nothing', {
    timeout: 300_000,
  }, async () => {
    const files = await findFiles();
    const options = { rejectsPath: join(output, 'rejects.ndjson') };

    const first = await importFiles(test.database, embeddedBackend, files, options);
    const versions = await rowVersions(test.database);
    const second = await importFiles(test.database, embeddedBackend, files, options);

    console.table(await scoresOf(test.database));
    for (const { read, added, changed, unchanged, rejected } of Object.values(first.kinds)) {
      expect(read).toBe(added + changed + unchanged + rejected);
    }
    expect(second.scored).toBe(0);
    expect(await rowVersions(test.database)).toEqual(versions);
    const [stored] = await test.database.query(`SELECT (SELECT count(*) FROM listing) AS listings,
      (SELECT count(*) FROM listing_rank WHERE trust IS NULL) AS unscored, (SELECT count(*) FROM subject s
        WHERE s.current_version IS NULL AND s.id IN (SELECT creator_id FROM listing)) AS "unscoredCreators", (SELECT count(*) FROM artifact) + (SELECT count(*) FROM artifact_other_name) AS artifacts,
      (SELECT sum(difference)::int FROM listing_total) AS total, (SELECT count(*) FROM score_due) AS due`);
    const { listing, artifact } = first.kinds;
    expect(stored).toEqual({
      listings: listing.added,
      unscored: 0,
      unscoredCreators: 0,
      artifacts: artifact.added,
      total: listing.added,
      due: 0,
    });
  });
});
