import { afterEach, beforeEach, expect, it } from 'vitest';
import { osvRecord, storeOsv } from '../../../testing/advisories/sample-advisories.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { getPackage } from './package.queries.ts';

const PUBLIC_URLS = createPublicUrls('https://trust.example');

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.close());

it('names the listing whose package it is, whatever its standing', async () => {
  const made = await makeListing(test.database, { npmPackage: 'notes-mcp', pypiPackage: 'Notes_MCP' });
  await test.database.query('UPDATE listing SET npm_confirmed = true, pypi_confirmed = true');
  await storeOsv(test.database, osvRecord('MAL-2026-1', 'notes-mcp'));

  const npm = await getPackage(test.database, 'npm:notes-mcp@1.0.0', PUBLIC_URLS);
  const pypi = await getPackage(test.database, 'pypi:notes.mcp', PUBLIC_URLS);

  expect(npm).toMatchObject({
    package: 'npm:notes-mcp',
    version: '1.0.0',
    standing: 'affected',
    listing: { id: made.id, agentId: made.agentId },
  });
  expect(pypi).toMatchObject({
    package: 'pypi:notes-mcp',
    version: null,
    standing: 'unknown',
    listing: { id: made.id },
  });
});

it('names no listing for a package that only a list names: it may be of a stranger with the same name', async () => {
  await makeListing(test.database, { npmPackage: 'postmark-mcp' });
  await storeOsv(test.database, osvRecord('MAL-2025-47604', 'postmark-mcp'));

  expect(await getPackage(test.database, 'npm:postmark-mcp@1.0.16', PUBLIC_URLS)).toMatchObject({
    standing: 'affected',
    listing: null,
  });
});

it('names no listing for a package that none has, or whose name differs in capitals', async () => {
  await makeListing(test.database, { npmPackage: 'notes-mcp' });
  await test.database.query('UPDATE listing SET npm_confirmed = true');
  await storeOsv(test.database, osvRecord('MAL-2026-1', 'postmark-mcp'));

  expect(await getPackage(test.database, 'npm:postmark-mcp', PUBLIC_URLS)).toMatchObject({
    standing: 'affected',
    listing: null,
  });
  expect((await getPackage(test.database, 'npm:Notes-MCP', PUBLIC_URLS)).listing).toBeNull();
});
