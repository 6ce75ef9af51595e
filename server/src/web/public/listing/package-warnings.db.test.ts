import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { sampleRecords, storeOsv } from '../../../../testing/advisories/sample-advisories.ts';
import { replaceClock, setClock } from '../../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { writeListings } from '../../../../testing/outdated-copies.ts';
import { makeHijackedListing } from '../../../../testing/pages/hijacked-listing.ts';
import { readCurrentScore } from '../../../../testing/scoring/read-current-score.ts';
import { makeListing } from '../../../../testing/subjects/registry.factory.ts';
import { saveFacts } from '../../../catalog/facts/observed-facts.ts';
import { refreshAllStandings } from '../../../catalog/facts/refresh-standings.ts';
import { refreshPackages } from '../../../catalog/packages/decide-packages.ts';
import { createPublicUrls } from '../../../catalog/subjects/public-path.ts';
import { agentVerdict } from '../../../directory/agents/agent-record.ts';
import { getAgent } from '../../../directory/agents/get-agent.ts';
import { scoreSubjects } from '../../../scoring/batches/score-subjects.ts';
import { embeddedBackend } from '../../../scoring/embedded/embedded-backend.ts';
import { registerPages } from '../register-pages.ts';

const publicUrls = createPublicUrls('https://trust.example');

let test: TestDatabase;
let app: FastifyInstance;
let id: string;
let agentId: string;

beforeAll(async () => {
  test = await createTestDatabase();
  const { database } = test;
  await replaceClock(database);
  app = Fastify();
  app.decorateRequest('errorCode', null);
  app.decorateRequest('reads', { getter: () => database });
  await registerPages(app, { reads: database, publicUrls });
});
beforeEach(async () => {
  const { database } = test;
  await setClock(database, '2026-11-21T00:00:00Z');
  await storeOsv(database, ...sampleRecords());
  ({ id, agentId } = await makeListing(database, {
    repository: 'hustcc/mcp-mermaid',
    npmPackage: 'mcp-mermaid',
    stars: 3_000,
    forks: 300,
    lastCommitAt: '2026-11-20T00:00:00Z',
  }));
  await writeListings(
    database,
    'UPDATE listing SET npm_confirmed = true, metrics_observed_at = ledger_now()',
  );
});
afterEach(() => test.empty());
afterAll(async () => {
  await app.close();
  await test.close();
});

async function publish(version: string, releasedAt: string): Promise<void> {
  const value = { provenance: null, deprecated: null, monthlyDownloads: null };
  await saveFacts(test.database, [
    {
      ...{
        subjectId: id,
        fact: 'published_package',
        source: 'npm',
        url: 'https://registry.npmjs.org',
        license: null,
      },
      value: { ...value, ecosystem: 'npm', name: 'mcp-mermaid', version, releasedAt },
    },
  ]);
}

/** Scores the listing again and returns the HTML of its page. */
async function pageNow(): Promise<string> {
  await scoreSubjects(test.database, embeddedBackend, [id]);
  const { statusCode, body } = await app.inject('/s/hustcc/mcp-mermaid');
  expect(statusCode).toBe(200);
  return body;
}

const banner = (page: string) => /class="notice banner (\w+)"/.exec(page)?.[1];

it('a page warns of hijacked versions until 90 days after the first sound version, and only mentions them later', async () => {
  await publish('0.7.0', '2026-11-01T00:00:00Z');
  const soon = await pageNow();
  const entry = agentVerdict(await getAgent(test.database, agentId));
  await setClock(test.database, '2027-01-31T00:00:00Z');
  const later = await pageNow();

  expect(banner(soon)).toBe('warning');
  expect(entry?.state).toBe('warning');
  expect(entry?.sentence).toMatch(/^Malware in 2 versions \(0\.5\.1, 0\.6\.1\)/);
  expect(soon).toContain('Malware in 2 versions (0.5.1, 0.6.1), but not in the current version 0.7.0');
  expect(soon).toMatch(/The Warning stays until <time[^>]*>30 Jan 2027/);
  expect(banner(later)).not.toBe('warning');
  expect(later).toContain('alware in 2 versions (0.5.1, 0.6.1), but not in the current version 0.7.0');
});

it('malware in the published version caps trust, and withdrawing the record removes cap and Warning', async () => {
  const record = sampleRecords().find((each) => each.id === 'MAL-2026-4147') ?? {};
  await publish('0.6.1', '2026-05-19T00:00:00Z');
  const bad = await pageNow();
  const capped = await readCurrentScore(test.database, id);
  const withdrawn = { modified: '2026-11-22T00:00:00Z', withdrawn: '2026-11-22T00:00:00Z' };
  await storeOsv(test.database, { ...record, ...withdrawn });
  await refreshAllStandings(test.database);
  const after = await pageNow();

  expect(banner(bad)).toBe('warning');
  expect(bad).toContain('The published version 0.6.1 contains malware');
  expect(capped?.trust).toBeLessThanOrEqual(5);
  expect(banner(after)).not.toBe('warning');
  expect(after).not.toContain('malware');
  expect((await readCurrentScore(test.database, id))?.trust).toBeGreaterThan(5);
});

it('a page keeps the Warning if the owner no longer names the package', async () => {
  await publish('0.6.1', '2026-05-19T00:00:00Z');
  const before = await pageNow();
  // This refresh finds nothing that confirms the package, because no entry of the MCP registry is stored.
  await refreshPackages(test.database, [id]);
  const after = await pageNow();

  expect(before).toContain('id="versions"');
  for (const text of ['id="versions"', 'malware', 'MAL-2026-4147']) expect(after).toContain(text);
  expect(banner(after)).toBe('warning');
});

it('a page shows what the owner declares in the MCP registry, and nothing from another namespace', async () => {
  const path = await makeHijackedListing(test.database);
  const own = (await app.inject(path)).body;
  await test.database.query("UPDATE mcp_registry_entry SET server_name = 'com.example/charts-mcp'");
  const foreign = (await app.inject(path)).body;

  expect(own).toMatch(
    /What it asks for.*CHARTS_API_KEY.*on your machine or on remote hosts.*api\.example\.com/s,
  );
  expect(foreign).not.toContain('What it asks for');
});
