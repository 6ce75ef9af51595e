import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { osvRecord, storeOsv } from '../../../testing/advisories/sample-advisories.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import { missingPackage } from '../../catalog/packages/registry-reading.ts';
import { savePackageReadings } from '../../catalog/packages/save-package-readings.ts';
import { lockRegistry } from '../../catalog/registry-locks.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { getPackage } from './package.queries.ts';

const PUBLIC_URLS = createPublicUrls('https://trust.example');

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.empty());
afterAll(() => test.close());

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

it('shows what the registry of the package said when it was last read', async () => {
  const reading = {
    host: 'github.com',
    repository: 'acme/notes',
    provenance: 'lost',
    deprecated: false,
  } as const;
  const unread = { ...missingPackage({ ecosystem: 'npm', name: 'notes-mcp' }), ...reading };
  const read = { ...unread, outcome: 'read' as const, version: '1.1.0', releasedAt: '2026-03-04T05:06:07Z' };
  const missing = missingPackage({ ecosystem: 'pypi', name: 'notes-mcp' });
  await inTransaction(test.database, async (connection) => {
    await lockRegistry(connection);
    await savePackageReadings(connection, [read, missing], { isImport: true });
  });
  const readingOf = async (named: string) => (await getPackage(test.database, named, PUBLIC_URLS)).reading;

  expect(await readingOf('npm:notes-mcp@1.0.0')).toEqual({
    outcome: 'read',
    version: '1.1.0',
    releasedAt: '2026-03-04T05:06:07.000000Z',
    provenance: 'lost',
    deprecated: false,
    observedAt: expect.any(String),
  });
  expect(await readingOf('pypi:Notes_MCP')).toMatchObject({ outcome: 'missing', version: null });
  expect(await readingOf('npm:other')).toBeNull();
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
