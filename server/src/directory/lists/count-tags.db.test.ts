import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeManyListings } from '../../../testing/directory/make-many-listings.ts';
import { writeListings } from '../../../testing/outdated-copies.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import type { Database } from '../../platform/database/connect.ts';
import { buildSearch } from '../search/build-search.ts';
import { matchOf } from '../search/match-conditions.sql.ts';
import { countSearch, countTags } from './count-by-filter.ts';
import { type FilterSelection, filterTermsOf, quoteFilterTerm } from './filters.ts';

const MANY = 1_200;

let few: TestDatabase;
let many: TestDatabase;

beforeAll(async () => {
  few = await createTestDatabase();
  await makeListing(few.database, { name: 'Robot', tags: ['web', 'Browser'], license: 'MIT' });
  await makeListing(few.database, { name: 'Robot', tags: ['browser'], category: 'data' });
  await makeListing(few.database, { name: 'Clock', tags: ['time', 'web', 'WEB'] });
  many = await createTestDatabase({ statementTimeoutMs: 60_000 });
  const like = await makeListing(many.database, { name: 'Robot', tags: ['web', 'rare'] });
  await makeManyListings(many.database, like.id, MANY, {
    words: "'robot'",
    category: "CASE WHEN n % 2 = 0 THEN 'data' ELSE 'coding' END",
  });
  // The first listing has a random id and keeps its tags.
  for (const [tags, end] of [
    ['{web}', '4'],
    ['{web,time}', '7'],
  ])
    await writeListings(
      many.database,
      'UPDATE listing SET tags = $1 WHERE right(agent_id, 1) = $2 AND subject_id <> $3',
      [tags, end, like.id],
    );
  await many.database.query('ANALYZE listing_words');
});
afterAll(async () => {
  await few.close();
  await many.close();
});

async function tagsOf(
  database: Database,
  { q = null, ...selection }: FilterSelection & { q?: string | null },
  most = 5,
) {
  const search = q === null ? null : await buildSearch(database, q);
  const match = matchOf(search, filterTermsOf({ license: selection.license }).map(quoteFilterTerm), false);
  const untagged = await countSearch(database, matchOf(search, [], false));
  return countTags(database, match, selection, untagged, most);
}

it('count the matches of a search and the other filters, most frequent first', async () => {
  const { database } = few;

  expect(await tagsOf(database, {})).toEqual([
    { value: 'browser', count: 2 },
    { value: 'web', count: 2 },
    { value: 'time', count: 1 },
  ]);
  expect(await tagsOf(database, { q: 'robot', category: 'data' })).toEqual([{ value: 'browser', count: 1 }]);
  expect(await tagsOf(database, { license: 'mit' })).toEqual([
    { value: 'browser', count: 1 },
    { value: 'web', count: 1 },
  ]);
});

it('include the selected tag, however rare, even with no matches', async () => {
  const { database } = few;

  expect(await tagsOf(database, { tag: 'time' }, 2)).toEqual([
    { value: 'time', count: 1 },
    { value: 'browser', count: 2 },
  ]);
  expect(await tagsOf(database, { q: 'robot', tag: 'time' })).toEqual([
    { value: 'time', count: 0 },
    { value: 'browser', count: 2 },
    { value: 'web', count: 1 },
  ]);
  expect(await tagsOf(database, { q: 'absent' })).toEqual([]);
});

it('are the common tags of the directory for many matches, counted exactly up to 1,000 and while listings change', async () => {
  const { database } = many;
  const exact = { isLowerBound: false };

  expect(await tagsOf(database, { q: 'robot' })).toEqual([
    { value: 'web', count: 241, ...exact },
    { value: 'time', count: 120, ...exact },
    { value: 'rare', count: 1, ...exact },
  ]);
  expect(await tagsOf(database, { category: 'data', q: 'robot' })).toEqual(
    await tagsOf(database, { category: 'data' }),
  );
  await writeListings(database, "UPDATE listing SET tags = '{}' WHERE tags = '{web,rare}'");
  expect(await tagsOf(database, { q: 'robot' })).toEqual([
    { value: 'web', count: 240, ...exact },
    { value: 'time', count: 120, ...exact },
  ]);
});

it('of more than 1,000 entries are lower bounds', async () => {
  const { database } = many;
  await writeListings(database, "UPDATE listing SET tags = '{everywhere}'");
  await database.query('ANALYZE listing_words');

  expect(await tagsOf(database, { q: 'robot' })).toEqual([
    { value: 'everywhere', count: 1_000, isLowerBound: true },
  ]);
});
