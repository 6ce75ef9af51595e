import { saveFacts } from '../../src/catalog/facts/observed-facts.ts';
import { saveRegistryEntries } from '../../src/catalog/packages/save-registry-entries.ts';
import { lockRegistry } from '../../src/catalog/registry-locks.ts';
import type { Database } from '../../src/platform/database/connect.ts';
import { inTransaction } from '../../src/platform/database/transaction.ts';
import { scoreSubjects } from '../../src/scoring/batches/score-subjects.ts';
import { embeddedBackend } from '../../src/scoring/embedded/embedded-backend.ts';
import { osvRecord, storeOsv } from '../advisories/sample-advisories.ts';
import { makeListing } from '../subjects/registry.factory.ts';

const PACKAGE = 'charts-mcp';
const REPOSITORY = 'example-labs/charts-mcp';

/**
 * Makes the listing of a server whose owner names its package in the MCP registry. Two versions of the package had malware;
 * the published one has a vulnerability. Returns the path of its page.
 */
export async function makeHijackedListing(database: Database): Promise<string> {
  const { id } = await makeListing(database, {
    repository: REPOSITORY,
    name: 'Charts MCP',
    description: 'Turns tables into charts for assistants.',
    category: 'data',
    stars: 1_240,
    forks: 96,
    lastCommitAt: '2026-11-18T12:00:00Z',
  });
  const listed = (versions: readonly string[], others: object = {}) => ({
    affected: [{ package: { ecosystem: 'npm', name: PACKAGE }, versions }],
    ...others,
  });
  await storeOsv(
    database,
    osvRecord(
      'MAL-2026-900001',
      PACKAGE,
      listed(['0.5.1', '0.6.1'], { summary: `Malicious code in ${PACKAGE} (npm)` }),
    ),
    osvRecord('XYZ-2026-900002', PACKAGE, {
      summary: 'A crafted table can read files beside the chart',
      affected: [
        {
          package: { ecosystem: 'npm', name: PACKAGE },
          ranges: [{ type: 'SEMVER', events: [{ introduced: '0.4.0' }, { fixed: '0.8.0' }] }],
        },
      ],
      database_specific: { severity: 'MODERATE' },
    }),
  );
  await inTransaction(database, async (connection) => {
    await lockRegistry(connection);
    await saveRegistryEntries(connection, [{ entries: [entry()] }]);
    const value = { releasedAt: '2026-11-18T10:00:00Z', provenance: 'attested', deprecated: false } as const;
    await saveFacts(connection, [
      {
        ...{ subjectId: id, fact: 'published_package', source: 'npm', license: null },
        url: `https://registry.npmjs.org/${PACKAGE}`,
        value: { ...value, ecosystem: 'npm', name: PACKAGE, version: '0.7.0', monthlyDownloads: 5_000 },
      },
    ]);
  });
  await scoreSubjects(database, embeddedBackend, [id]);
  return `/s/${REPOSITORY}`;
}

function entry() {
  const published = { publishedAt: '2026-11-18T10:05:00Z', updatedAt: '2026-11-18T10:05:00Z' };
  return {
    ...published,
    serverName: `io.github.${REPOSITORY}`,
    version: '0.7.0',
    status: 'active' as const,
    isLatest: true,
    host: 'github.com',
    repository: REPOSITORY,
    subfolder: null,
    hostRepositoryId: null,
    packages: [{ registryType: 'npm', identifier: PACKAGE, version: '0.7.0', registryBaseUrl: null }],
    remoteHosts: ['api.example.com'],
    secrets: ['CHARTS_API_KEY'],
  };
}
