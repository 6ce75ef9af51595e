import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../../testing/at-night.ts';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { writeListings } from '../../../../testing/outdated-copies.ts';
import { makeListing } from '../../../../testing/subjects/registry.factory.ts';
import { importFiles, sampleFiles } from '../../../intake/import/import-files.ts';
import { embeddedBackend } from '../../../scoring/embedded/embedded-backend.ts';
import { installCommands } from './install-section.tsx';
import { loadListingDetails } from './listing.queries.ts';

interface ImportedPackages {
  kind: string;
  npmPackage: string | null;
  pypiPackage: string | null;
  isConfirmed: boolean;
}

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test?.close());

async function commandsOf(imported: Partial<ImportedPackages> & Record<string, unknown>): Promise<string[]> {
  const { npmPackage = null, pypiPackage = null, kind = 'skill' } = imported;
  const { isConfirmed = false } = imported;
  const { id } = await makeListing(test.database, { npmPackage, pypiPackage });
  await writeListings(
    test.database,
    'UPDATE listing SET imported = $2, npm_confirmed = $3, pypi_confirmed = $3 WHERE subject_id = $1',
    [id, JSON.stringify(imported), isConfirmed],
  );
  return installCommands({ ...(await loadListingDetails(test.database, id)).facts, kind });
}

async function sampleCommands(repository: string): Promise<string[]> {
  const [listing] = await test.database.query<{ id: string; kind: string }>(
    'SELECT subject_id AS id, kind FROM listing WHERE repository = $1',
    [repository],
  );
  if (!listing) throw new Error(`the sample has no ${repository}`);
  const { facts } = await loadListingDetails(test.database, listing.id);
  return installCommands({ ...facts, kind: listing.kind });
}

describe('the commands that install a listing', () => {
  it('include packages that are confirmed', async () => {
    expect(await commandsOf({ npmPackage: 'robot-a', isConfirmed: true })).toEqual(['npm install robot-a']);
    expect(await commandsOf({ pypiPackage: 'robot-b', isConfirmed: true })).toEqual(['pip install robot-b']);
  });

  it('omit packages that a list only names, with or without a version', async () => {
    expect(await commandsOf({ npmPackage: 'robot-c', npmVersion: null, pypiPackage: 'robot-c' })).toEqual([]);
    expect(await commandsOf({ npmPackage: 'robot-d', npmVersion: '1.0.0' })).toEqual([]);
    expect(await commandsOf({ pypiPackage: 'robot-e', pypiVersion: '2.1' })).toEqual([]);
  });

  itAtNight(
    'contain the confirmed packages of the sample, not those that only lists name',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'sample-'));
      await importFiles(test.database, embeddedBackend, sampleFiles(), {
        rejectsPath: join(folder, 'rejects.ndjson'),
        output: { write: () => true },
      });
      await rm(folder, { recursive: true });

      expect(await sampleCommands('ChromeDevTools/chrome-devtools-mcp')).toEqual([
        'npx -y chrome-devtools-mcp',
      ]);
      expect(await sampleCommands('bytebase/dbhub')).toEqual(['npx -y @bytebase/dbhub']);
      expect(await sampleCommands('czlonkowski/n8n-mcp')).toEqual([]);
    },
    60_000,
  );
});
