import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceClock, setClock } from '../../../../testing/clock.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../../testing/import/import-workspace.ts';
import { fewerUnlessNightly, IS_NIGHTLY } from '../../../../testing/nightly.ts';
import { makeDirectoryWorld } from '../../../../testing/pages/directory-world.ts';
import { openStatementGate, type StatementGate } from '../../../../testing/statement-gate.ts';
import { makeListing } from '../../../../testing/subjects/registry.factory.ts';
import { loadPublicPaths } from '../../../catalog/subjects/load-public-paths.ts';
import { createPublicUrls } from '../../../catalog/subjects/public-path.ts';
import { delistListing } from '../../../directory/delisting/delist-listing.ts';
import { sampleFiles } from '../../../intake/import/import-files.ts';
import { connect, type Database } from '../../../platform/database/connect.ts';
import { ResponseCache } from '../../../platform/http/response-cache/response-cache.ts';
import { responseCache } from '../../../platform/http/response-cache/response-cache-plugin.ts';
import { registerPages } from '../register-pages.ts';

const publicUrls = createPublicUrls('https://trust.example');
/** Listing with a parent, children, copies, artifacts, packages, proofs, a former creator and past scores. */
const RICHEST = '/a/acme/changelog-agent';
const ARTIFACT = '/s/acme/changelog-agent/write-notes';
const MAX_STATEMENTS = 6;

let test: ImportWorkspace;
let gate: StatementGate;
let reads: Database;
let cache: ResponseCache;
let app: FastifyInstance;

beforeAll(async () => {
  test = await createImportWorkspace();
  await replaceClock(test.database);
  const { robot } = await makeDirectoryWorld(test.database);
  if (IS_NIGHTLY) await test.run(sampleFiles());
  await enrich(robot.id);
  await setClock(test.database, '2026-11-20T09:00:00Z');

  gate = await openStatementGate(test.url);
  reads = connect(gate.url);
  cache = new ResponseCache(2 ** 24);
  cache.open(Number.POSITIVE_INFINITY);
  cache.waitForInvalidations = (told) => told(true);
  app = Fastify();
  app.decorateRequest('errorCode', null);
  responseCache(app, { cache, reads });
  await registerPages(app, { reads, publicUrls });
  // Open as many sessions as the pages use at a time: a new session sends its settings, which would count as statements.
  for (const path of [RICHEST, ARTIFACT]) await readCold(path);
}, 180_000);
afterAll(async () => {
  await app?.close();
  await reads?.close();
  await gate?.close();
  await test?.close();
});

/** Gives the listing a former creator, a newer name, a copy that is similar to it, and a delisted child. */
async function enrich(listingId: string): Promise<void> {
  const { database } = test;
  await database.query(
    `INSERT INTO listing_creator_history (listing_id, creator_id, until)
     SELECT $1, subject_id, '2026-06-01' FROM creator WHERE handle = 'robin-writes'`,
    [listingId],
  );
  const newer = await makeListing(database, {
    repository: 'acme/changelog-agent-2',
    name: 'Changelog Agent',
  });
  const copy = await makeListing(database, { repository: 'copies/changelog-agent', tags: ['release-notes'] });
  for (const [type, from, to] of [
    ['renamed_to', listingId, newer.id],
    ['copied_from', copy.id, listingId],
  ])
    await database.query(
      `INSERT INTO relation (type, from_repository, to_repository, from_listing_id, to_listing_id, directed, stated, source)
       SELECT $1, f.repository, t.repository, f.subject_id, t.subject_id, true, true, 'acme/list'
       FROM listing f, listing t WHERE f.subject_id = $2 AND t.subject_id = $3`,
      [type, from, to],
    );
  await makeListing(database, { repository: 'gone/child', parentId: listingId });
  await delistListing(database, { text: 'gone/child', reason: 'asked for', publicUrls });
}

/** Reads a page with an empty cache and returns its HTML. `gate` then has the page's statements; `waves` is for the gate. */
async function readCold(path: string, ...waves: readonly number[]): Promise<string> {
  cache.invalidate('*');
  gate.watch(...waves);
  const { statusCode, body } = await app.inject(path);
  expect([path, statusCode]).toEqual([path, 200]);
  return body;
}

/** Returns the path of one page for each combination of type, host, relations, packages, score and other properties. */
async function pagesOfEveryKind(): Promise<string[]> {
  const kinds = await test.database.query<{ id: string; type: 'agent' | 'skill' }>(
    `SELECT DISTINCT ON (type, verified, host, has.*) subject_id AS id, type FROM listing l CROSS JOIN LATERAL (SELECT
       parent_id IS NOT NULL AS parent, EXISTS (SELECT FROM listing c WHERE c.parent_id = l.subject_id) AS children,
       EXISTS (SELECT FROM artifact a WHERE a.listing_id = l.subject_id) AS artifacts, num_nulls(npm_package, pypi_package) AS packages,
       (SELECT array_agg(DISTINCT r.type || r.from_path IS NULL) FROM relation r
         WHERE l.subject_id IN (r.from_listing_id, r.to_listing_id)) AS relations,
       EXISTS (SELECT FROM score s WHERE s.subject_id = l.subject_id) AS scored, cardinality(tags) = 0 AS untagged) AS has
     ORDER BY type, verified, host, has.*, repository`,
  );
  const inside = await test.database.query<{ id: string; type: 'agent' | 'skill' }>(
    'SELECT DISTINCT ON (type, kind, path IS NULL) subject_id AS id, type FROM artifact ORDER BY type, kind, path IS NULL, name',
  );
  const paths = await loadPublicPaths(test.database, [...kinds, ...inside], publicUrls);
  return [RICHEST, ARTIFACT, ...paths.values()];
}

describe('a cold page of a listing or an artifact', () => {
  it('sends few statements, whatever it shows', async () => {
    const pages = await pagesOfEveryKind();

    const sent: [string, string[]][] = [];
    for (const path of pages) {
      await readCold(path);
      sent.push([path, [...gate.statements]]);
    }

    expect(pages.length).toBeGreaterThan(fewerUnlessNightly(12, 25));
    expect(sent.filter(([, statements]) => statements.length > MAX_STATEMENTS)).toEqual([]);
    expect(sent.filter(([, statements]) => statements.length < 2)).toEqual([]);
  });

  it('sends independent statements concurrently', async () => {
    const text = await readCold(RICHEST, 1, 2, 1, 1, 1);

    expect(gate.statements).toHaveLength(6);
    for (const path of [
      '/a/openbench/harness',
      '/s/weekly/digest',
      '/c/robin-writes',
      '/s/acme/changelog-agent/ask-author',
      '/s/acme/changelog-agent-2',
      '/s/copies/changelog-agent',
    ])
      expect(text).toContain(`href="${path}"`);

    await readCold(ARTIFACT, 1, 1, 2, 1, 1);

    expect(gate.statements).toHaveLength(6);
  });

  it('is cached until one of the subjects on it changes', async () => {
    await readCold(RICHEST);
    const shown = await test.database.query<{ id: string; name: string }>(
      `SELECT id, name FROM subject WHERE name = ANY ($1) AND type IN ('agent', 'skill', 'creator')`,
      [
        [
          'Changelog Agent',
          'Harness',
          'Weekly Digest',
          'Acme Robotics',
          'Robin Okafor',
          'write-notes',
          'changelog-agent',
        ],
      ],
    );

    const notInvalidated: string[] = [];
    for (const { id, name } of shown) {
      gate.watch();
      await app.inject(RICHEST);
      const isCached = gate.statements.length === 0;
      cache.invalidate(id);
      await app.inject(RICHEST);
      if (!isCached || gate.statements.length === 0) notInvalidated.push(name);
    }

    expect(shown.length).toBeGreaterThan(6);
    expect(notInvalidated).toEqual([]);
  });
});
