import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { writeListings } from '../../../../testing/outdated-copies.ts';
import { makeListing } from '../../../../testing/subjects/registry.factory.ts';
import { installCommands } from './install-section.tsx';
import { loadListingDetails } from './listing.queries.ts';

interface SampleRow {
  repository: string;
  kind: string;
  npmPackage: string | null;
  pypiPackage: string | null;
}

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test?.close());

async function linesOf(imported: Partial<SampleRow> & Record<string, unknown>): Promise<string[]> {
  const { npmPackage = null, pypiPackage = null, kind = 'skill' } = imported;
  const { id } = await makeListing(test.database, { npmPackage, pypiPackage });
  await writeListings(test.database, 'UPDATE listing SET imported = $2 WHERE subject_id = $1', [
    id,
    JSON.stringify(imported),
  ]);
  return installCommands({ ...(await loadListingDetails(test.database, id)).facts, kind });
}

describe('the lines that install a listing', () => {
  it('include packages that a source read from their registry', async () => {
    expect(await linesOf({ npmPackage: 'robot-a', npmVersion: '1.0.0' })).toEqual(['npm install robot-a']);
    expect(await linesOf({ pypiPackage: 'robot-b', pypiVersion: '2.1' })).toEqual(['pip install robot-b']);
  });

  it('omit packages that a list only names', async () => {
    expect(await linesOf({ npmPackage: 'robot-c', npmVersion: null, pypiPackage: 'robot-c' })).toEqual([]);
    expect(await linesOf({ npmPackage: 'robot-d' })).toEqual([]);
    expect(await linesOf({ pypiPackage: 'robot-e', npmVersion: '1.0.0' })).toEqual([]);
  });

  it('omit sample packages that no registry has confirmed', async () => {
    const file = join(import.meta.dirname, '../../../../sample/listings.ndjson');
    const rows = (await readFile(file, 'utf8')).trim().split('\n');
    const sample = rows.map((row) => JSON.parse(row) as SampleRow & { npmVersion: string | null });
    const named = sample.filter(({ npmPackage }) => npmPackage !== null && npmPackage !== 'https');

    const shown: [string, string[]][] = [];
    for (const row of named) shown.push([row.repository, await linesOf({ ...row })]);

    expect(Object.fromEntries(shown)).toMatchObject({
      'ChromeDevTools/chrome-devtools-mcp': [],
      'bytebase/dbhub': ['npx -y @bytebase/dbhub'],
    });
  });
});
