import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { writeListings } from '../../../testing/outdated-copies.ts';
import { countReads, noteStatements } from '../../../testing/read-rows.ts';
import { makeArtifact, makeCreator, makeListing } from '../../../testing/subjects/registry.factory.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { FRESH_PLAN } from '../../platform/database/send-statement.ts';
import { findOtherResults, suggest } from './find-names.ts';

const publicUrls = createPublicUrls('https://trust.example');

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
  const acme = await makeCreator(database, { handle: 'Claude', displayName: 'The Claude People' });
  const shop = await makeCreator(database, { handle: 'claudette' });
  const store = await makeCreator(database, { handle: 'claude-store' });
  await makeCreator(database, { handle: 'friends', displayName: 'Friends of Claude' });
  const big = await makeListing(database, {
    creator: store,
    repository: 'claude-store/claude-kit',
    stars: 900,
  });
  const small = await makeListing(database, {
    creator: shop,
    repository: 'claudette/claude',
    name: 'Claude',
    stars: 3,
  });
  await makeListing(database, { creator: acme, repository: 'Claude/claude-desk', stars: null });
  await makeArtifact(database, small, { name: 'claude-review' });
  await makeArtifact(database, big, { name: 'review for claude' });
  await makeArtifact(database, big, { name: 'claude-paint' });
  await makeArtifact(database, big, { name: 'ＣＬＡＵＤＥ' });
});
afterAll(() => test.close());

const names = (found: readonly { text: string }[]) => found.map(({ text }) => text);

describe('creators and artifacts found by a search', () => {
  it('are exact names, then prefixes, then names with all words; popular ones first', async () => {
    const { creators, artifacts } = await findOtherResults(database, 'claude', publicUrls);

    expect(names(creators)).toEqual(['The Claude People', 'claude-store', 'claudette', 'Friends of Claude']);
    expect(names(artifacts)).toEqual(['ＣＬＡＵＤＥ', 'claude-paint', 'claude-review', 'review for claude']);
    expect(creators[1]).toMatchObject({ about: 'github.com:claude-store', path: '/c/claude-store' });
  });

  it.each([
    ['@Claude', ['The Claude People']],
    ['friends of', ['Friends of Claude']],
    ['of claude', ['Friends of Claude']],
  ])('match a handle and words in any order: %s', async (q, expected) => {
    expect(names((await findOtherResults(database, q, publicUrls)).creators).slice(0, 1)).toEqual(expected);
  });

  it.each(['nobody at all', '%', "' & |", '\\', '𝕏'.repeat(300)])('are none for %j', async (q) => {
    expect(await findOtherResults(database, q, publicUrls)).toEqual({ creators: [], artifacts: [] });
  });
});

describe('suggestions', () => {
  it('are at most eight listings, creators, artifacts, categories and tags with the prefix', async () => {
    const suggestions = await suggest(database, ' CLAUDE', publicUrls);

    expect(suggestions.map(({ group, text }) => `${group} ${text}`)).toEqual([
      'listing Claude',
      'listing claude-kit',
      'listing claude-desk',
      'creator The Claude People',
      'creator claude-store',
      'artifact ＣＬＡＵＤＥ',
      'artifact claude-paint',
    ]);
    expect(await suggest(database, 'infra', publicUrls)).toEqual([
      {
        group: 'category',
        text: 'infrastructure',
        about: null,
        path: '/agents?category=infrastructure',
        type: null,
        stars: null,
        verdict: null,
      },
    ]);
  });

  it.each(['', '   ', '@', 'nobody', 'zzz'])('are none for %j', async (text) => {
    expect(await suggest(database, text, publicUrls)).toEqual([]);
  });

  it.each(['claued', 'caude', 'claude-kti'])(
    'correct typing errors if nothing begins with %s',
    async (text) => {
      const [first, ...others] = await suggest(database, text, publicUrls);

      const corrected = first?.text ?? '';
      expect(first).toMatchObject({
        group: 'spelling',
        path: `/agents?${new URLSearchParams({ q: corrected })}`,
      });
      expect(names(others).map((each) => each.toLowerCase())).toContain(
        text === 'claude-kti' ? 'claude-kit' : 'claude',
      );
      expect(others.length).toBeLessThan(8);
      expect(others).toEqual((await suggest(database, corrected, publicUrls)).slice(0, 7));
    },
  );

  it('correct spaces to the name without them, before names that need further edits', async () => {
    await makeListing(database, { name: 'Firecrawl' });
    await makeListing(database, { name: 'firecrwal' });

    const [first, second] = await suggest(database, 'fire crawl', publicUrls);

    expect([first?.group, first?.text, second?.text]).toEqual(['spelling', 'Firecrawl', 'Firecrawl']);
  });

  it('state type, stars and verdict of listings', async () => {
    await database.query(
      `UPDATE listing_rank SET trust = 40, confidence = 50, score_version = now(), verdict = 'well_evidenced', reasons = '{}'
       WHERE subject_id = (SELECT subject_id FROM listing WHERE repository = 'claude-store/claude-kit')`,
    );

    const [kit, desk] = [
      (await suggest(database, 'claude-k', publicUrls))[0],
      (await suggest(database, 'claude-d', publicUrls))[0],
    ];

    expect(kit).toMatchObject({ type: 'skill', stars: 900, verdict: 'well_evidenced' });
    expect(desk).toMatchObject({ type: 'skill', stars: null, verdict: null });
  });

  it('are one prepared statement with one plan for every text', async () => {
    const { noting, sent } = noteStatements(database, '');
    for (const text of ['c', 'claude', 'xyz']) await suggest(noting, text, publicUrls);

    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ sql }) => sql)).size).toBe(1);
    expect(sent[0]?.sql).not.toContain(FRESH_PLAN);
  });
});

it('read a bounded number of rows, however many names share the prefix', async () => {
  const many = await createTestDatabase({ statementTimeoutMs: 60_000 });
  const like = await makeListing(many.database, { name: 'aaa' });
  await many.database.query(
    `WITH made AS (INSERT INTO subject (id, type, name) SELECT gen_random_uuid(), 'skill', 'x' FROM generate_series(1, 9000) RETURNING id)
     INSERT INTO artifact (subject_id, registry_row_id, listing_id, type, kind, name, source)
     SELECT id, gen_random_uuid(), $1, 'skill', 'skill', 'x ' || id, 'test' FROM made`,
    [like.id],
  );
  await many.database.query('VACUUM ANALYZE listed_name');
  const readBy = (work: (connection: Connection) => Promise<{ length: number }>) =>
    countReads(
      many.database,
      ['listed_name'],
      async (connection) => expect((await work(connection)).length).toBeGreaterThan(0),
      'SET LOCAL plan_cache_mode = auto',
    );
  const suggestions = await readBy((connection) => suggest(connection, 'x', publicUrls));
  const others = await readBy(async (connection) => {
    const { artifacts } = await findOtherResults(connection, 'x', publicUrls);
    return artifacts;
  });
  await many.close();

  // Reads the first 300 and the 1,000 most popular artifacts.
  expect(suggestions).toBeLessThan(1_500);
  expect(others).toBeLessThan(4_000);
});

describe('stored names', () => {
  it('follow changes, stars and delistings', async () => {
    await database.query("UPDATE creator SET display_name = 'Zebra' WHERE handle = 'friends'");
    await database.query("UPDATE artifact SET name = 'zebra tool' WHERE name = 'claude-review'");
    await database.query("DELETE FROM artifact WHERE name = 'claude-paint'");

    const { creators, artifacts } = await findOtherResults(database, 'zebra', publicUrls);
    expect(names([...creators, ...artifacts])).toEqual(['Zebra', 'zebra tool']);
    expect(names((await findOtherResults(database, 'claude', publicUrls)).artifacts)).toEqual([
      'ＣＬＡＵＤＥ',
      'review for claude',
    ]);
    for (const [stars, expected] of [
      [5_000, ['claudette', 'claude-store']],
      [null, ['claude-store', 'claudette']],
    ]) {
      const update = "UPDATE listing SET stars = $1 WHERE repository = 'claudette/claude'";
      await writeListings(database, update, [stars]);
      const found = await findOtherResults(database, 'claude', publicUrls);
      expect(names(found.creators).slice(1)).toEqual(expected);
    }
  });
});

describe('a stored name', () => {
  it('is found by each of its words once, normalised, with the first 100 characters of a long one', async () => {
    const name = `Ｆｏｏ foo ${'É'.repeat(120)} don't--stop ${'ab'.repeat(50)}`;

    const [row] = await database.query(
      'SELECT tsvector_to_array(name_words($1)) AS words, name_words($2) AS none',
      [name, ' -- '],
    );

    const words = ['ab'.repeat(50), 'don', 'foo', 'stop', 't', 'é'.repeat(100)];
    expect(row).toEqual({ words, none: '' });
  });
});
