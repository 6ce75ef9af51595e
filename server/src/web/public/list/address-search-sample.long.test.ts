import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type TestBrowser } from '../../../../testing/browser/chromium.ts';
import { openTestSite, type TestSite } from '../../../../testing/browser/test-site.ts';
import { sampleUnlessNightly } from '../../../../testing/nightly.ts';
import { importFiles, sampleFiles } from '../../../intake/import/import-files.ts';
import { embeddedBackend } from '../../../scoring/embedded/embedded-backend.ts';

const KINDS = ['address', 'handle', 'id', 'owner/repository', 'package'] as const;

interface Query {
  kind: (typeof KINDS)[number];
  /** Query; `{id}` is replaced by the listing's `AGT-` id. */
  query: string;
  /** Expected listing; null for a creator. */
  repository: string | null;
  /** Path of the expected page. */
  expect: string;
}

const QUERIES = new URL('../../../../testing/search/direct-queries.ndjson', import.meta.url);
const queries = (await readFile(QUERIES, 'utf8'))
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Query);

let site: TestSite;
let chromium: TestBrowser;
let folder: string;
const ids = new Map<string, string>();

beforeAll(async () => {
  [site, chromium] = await Promise.all([openTestSite(), openBrowser()]);
  folder = await mkdtemp(join(tmpdir(), 'direct-sample-'));
  await importFiles(site.database, embeddedBackend, sampleFiles(), {
    rejectsPath: join(folder, 'rejects.ndjson'),
    output: { write: () => undefined },
  });
  const rows = await site.database.query<{ repository: string; agentId: string }>(
    'SELECT repository, agent_id AS "agentId" FROM listing',
  );
  for (const { repository, agentId } of rows) ids.set(repository, agentId);
}, 240_000);
afterAll(async () => {
  await chromium?.close();
  await site?.close();
  if (folder) await rm(folder, { recursive: true });
});

const withId = (text: string, { repository }: Query) =>
  text.replace('{id}', ids.get(repository ?? '') ?? 'unknown');

describe('addresses pasted into the search box, over the sample listings', () => {
  it('covers every kind of address', () => {
    expect([...new Set(queries.map(({ kind }) => kind))].sort()).toEqual(KINDS);
  });

  it.each(queries)('$kind $query leads to $expect', async (query) => {
    const address = `${site.url}/agents?${new URLSearchParams({ q: withId(query.query, query) })}`;

    const to = withId(query.expect, query);
    const led = await fetch(address, { redirect: 'manual' });
    const page = await fetch(address);

    expect([led.status, led.headers.get('location')]).toEqual([303, to]);
    expect([page.status, page.url]).toEqual([200, `${site.url}${to}`]);
  });

  it.each(sampleUnlessNightly(KINDS, (kind) => kind === 'address'))('needs no script: %s', async (kind) => {
    const query = queries.find((each) => each.kind === kind) as Query;
    const page = await chromium.browser.newPage({ javaScriptEnabled: false });
    await page.goto(site.url);

    await page.getByLabel('Search agents, skills and creators').fill(withId(query.query, query));
    await page.keyboard.press('Enter');
    await page.waitForURL(`${site.url}${query.expect}`);

    expect(await page.locator('h1').count()).toBe(1);
    await page.close();
  });
});
