import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { replaceClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { writeListings } from '../../../testing/outdated-copies.ts';
import { makeDirectoryWorld } from '../../../testing/pages/directory-world.ts';
import { PUBLIC_PAGES } from '../../../testing/pages/page-paths.ts';
import { drawingsIn, expectDrawable, NO_XML_TEXTS } from '../../../testing/pages/svg-drawings.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { responseCache } from '../../platform/http/response-cache/response-cache-plugin.ts';
import { registerPages } from './register-pages.ts';

let test: TestDatabase;
let app: FastifyInstance;

beforeAll(async () => {
  test = await createTestDatabase();
  await replaceClock(test.database);
  await makeDirectoryWorld(test.database);
  app = Fastify();
  app.decorateRequest('errorCode', null);
  responseCache(app, { cache: null, reads: test.database });
  await registerPages(app, {
    reads: test.database,
    publicUrls: createPublicUrls('https://trust.example'),
  });
});
afterAll(async () => {
  await app.close();
  await test.close();
});

/** Stores this text in every field that pictures show: names, and the version of the scoring method. */
async function storeEverywhere(text: string): Promise<void> {
  const { database } = test;
  await database.query('UPDATE subject SET name = $1', [`Robot ${text}`]);
  await writeListings(database, 'UPDATE listing SET name = $1', [`Robot ${text}`]);
  await database.query('UPDATE creator SET display_name = $1', [`Robot ${text}`]);
  // Store a newer score of another method, because the history plot shows a method's version where it changes.
  await database.query(
    `WITH e AS (INSERT INTO score_evidence (subject_id, content, subject_type, trust, confidence, lower_bound, tier, status,
       own_trust, own_confidence, coverage, source, method_version, freshness, inputs, contributions, caps)
     SELECT subject_id, gen_random_uuid(), subject_type, trust, confidence, lower_bound, tier, status,
       own_trust, own_confidence, coverage, source, $1, freshness, inputs, contributions, caps
     FROM score JOIN subject s ON s.id = subject_id AND s.current_version = version RETURNING subject_id, content)
     INSERT INTO score_version (subject_id, version, content)
     SELECT e.subject_id, s.current_version + interval '1 second', e.content FROM e JOIN subject s ON s.id = e.subject_id`,
    [`method ${text}`],
  );
  await database.query(
    "UPDATE subject SET current_version = current_version + interval '1 second' WHERE current_version IS NOT NULL",
  );
}

it.each(sampleUnlessNightly(NO_XML_TEXTS, (_, index) => index % 4 === 0))(
  'every picture is valid XML if names contain %j',
  async (text) => {
    await storeEverywhere(text);
    const subjects = await test.database.query<{ id: string; type: string }>(
      'SELECT DISTINCT ON (type) id, type FROM subject ORDER BY type, id',
    );
    const drawings: string[] = [];

    for (const { id, type } of subjects) {
      const card = await app.inject(`/badge/${type}/${id}/card.png`);
      const badge = await app.inject(`/badge/${type}/${id}.svg`);
      expect([card.statusCode, card.headers['content-type']]).toEqual([200, 'image/png']);
      expect(badge.statusCode).toBe(200);
      drawings.push(badge.body);
    }
    for (const path of Object.values(PUBLIC_PAGES))
      drawings.push(...drawingsIn((await app.inject(path)).body));

    expect(new Set(subjects.map(({ type }) => type)).size).toBe(5);
    for (const kind of ['class="family"', 'class="plot"']) expect(drawings.join('')).toContain(kind);
    for (const svg of drawings) expectDrawable(svg);
  },
);
