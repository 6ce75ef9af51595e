import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectEveryRow } from '../../../../testing/every-row.ts';
import { openReadingProcess, type ReadingProcess } from '../../../../testing/http/reading-process.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../../testing/import/import-workspace.ts';
import { readRows } from '../../../../testing/search/sample-listings.ts';
import { sampleFiles } from '../../../intake/import/import-files.ts';

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

const QUERIES = readRows<Query>('direct-queries.ndjson');

let work: ImportWorkspace;
let server: ReadingProcess;

beforeAll(async () => {
  work = await createImportWorkspace({ imported: sampleFiles() });
  server = await openReadingProcess(work.url);
}, 240_000);
afterAll(async () => {
  await server?.close();
  await work?.close();
});

it('addresses of every kind lead from the search box to their pages', async () => {
  const rows = await work.database.query<{ repository: string; agentId: string }>(
    'SELECT repository, agent_id AS "agentId" FROM listing',
  );
  const ids = new Map(rows.map(({ repository, agentId }) => [repository, agentId]));
  const check = async ({ query, repository, expect: page }: Query) => {
    const withId = (text: string) => text.replace('{id}', ids.get(repository ?? '') ?? 'unknown');
    const led = await server.app.inject(`/agents?${new URLSearchParams({ q: withId(query) })}`);

    expect([led.statusCode, led.headers.location]).toEqual([303, withId(page)]);
    expect((await server.app.inject(withId(page))).statusCode).toBe(200);
  };

  expect([...new Set(QUERIES.map(({ kind }) => kind))].sort()).toEqual(KINDS);
  await expectEveryRow(QUERIES, ({ query }) => query, check);
});
