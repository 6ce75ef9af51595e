import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { openReadingProcess, type ReadingProcess } from '../../../../testing/http/reading-process.ts';
import { makeArtifact, makeListing, makeScore } from '../../../../testing/subjects/registry.factory.ts';

/** Fields of suggestions that have neither stars nor a verdict. */
const PLAIN = { about: null, stars: null, verdict: null };

let test: TestDatabase;
let server: ReadingProcess;

beforeAll(async () => {
  test = await createTestDatabase();
  const robot = await makeListing(test.database, { repository: 'acme/robot', stars: 7 });
  await makeArtifact(test.database, robot, { name: 'robot arm' });
  await makeListing(test.database, { repository: 'robots/many', stars: 9 });
  const walrus = await makeListing(test.database, {
    repository: 'sea/walrus',
    type: 'agent',
    stars: 175_000,
  });
  await makeScore(test.database, walrus, { trust: 40, confidence: 50 });
  await test.database.query(
    "UPDATE listing_rank SET verdict = 'warning', reasons = '{archived}' WHERE subject_id = $1",
    [walrus.id],
  );
  server = await openReadingProcess(test.url);
});
afterAll(async () => {
  await server?.close();
  await test?.close();
});

it('suggests names with this prefix with their paths, cacheable for a minute and not indexed', async () => {
  const { statusCode, headers, body } = await server.app.inject('/suggest?q=Robo');

  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'public, max-age=60',
    'x-robots-tag': 'noindex',
  });
  expect(JSON.parse(body)).toEqual({
    suggestions: [
      {
        ...PLAIN,
        text: 'robot',
        kind: 'skill',
        about: 'acme/robot',
        stars: '7 stars',
        path: '/s/acme/robot',
      },
      { ...PLAIN, text: 'robots', kind: 'creator', about: 'github.com:robots', path: '/c/robots' },
      {
        ...PLAIN,
        text: 'robot arm',
        kind: 'artifact',
        about: 'acme/robot',
        path: '/s/acme/robot/robot%20arm',
      },
    ],
  });
});

it('corrects typing errors, and shows the verdict in words', async () => {
  const { body } = await server.app.inject('/suggest?q=walrsu');

  expect(JSON.parse(body).suggestions).toEqual([
    { ...PLAIN, text: 'walrus', kind: 'corrected spelling', path: '/agents?q=walrus' },
    {
      text: 'walrus',
      kind: 'agent',
      about: 'sea/walrus',
      stars: '175k stars',
      verdict: { state: 'warning', text: 'Warning' },
      path: '/a/sea/walrus',
    },
  ]);
});

it.each(['/suggest', '/suggest?q=', '/suggest?q=a&q=b', '/suggest?q=%00', `/suggest?q=${'x'.repeat(5000)}`])(
  'returns no suggestions for %s',
  async (url) => {
    const { statusCode, body } = await server.app.inject(url);

    expect({ statusCode, body }).toEqual({ statusCode: 200, body: '{"suggestions":[]}' });
  },
);

it('also shows creators and artifacts on the first page of a search', async () => {
  const first = await server.app.inject('/agents?q=robot');
  const all = await server.app.inject('/agents');

  expect(first.body).toContain('<a href="/c/robots"');
  expect(first.body).toContain('<a href="/s/acme/robot/robot%20arm"');
  expect(all.body).not.toContain('Inside repositories');
});
