import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeManyListings } from '../../../testing/directory/make-many-listings.ts';
import { writeListings } from '../../../testing/outdated-copies.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import type { Database } from '../../platform/database/connect.ts';
import { createAskedSearches } from './asked-searches.ts';
import { countSearch } from './count-by-filter.ts';
import { countTags, type TagsInput } from './count-values.ts';
import { keepAskedTotals, keepCommonTotals } from './keep-search-totals.ts';

const ALL: TagsInput = {
  q: null,
  tag: null,
  type: null,
  verified: null,
  tier: null,
  category: null,
  kind: null,
  license: null,
};
const NEVER = new AbortController().signal;
const MANY = 1_200;

let few: TestDatabase;
let many: TestDatabase;

beforeAll(async () => {
  few = await createTestDatabase();
  await makeListing(few.database, { name: 'Robot', tags: ['web', 'Browser'], license: 'MIT' });
  await makeListing(few.database, { name: 'Robot', tags: ['browser'], category: 'data' });
  await makeListing(few.database, { name: 'Clock', tags: ['time', 'web', 'WEB'] });
  many = await createTestDatabase();
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
  await keepCommonTotals(many.database, NEVER);
});
afterAll(async () => {
  await few.close();
  await many.close();
});

async function tagsOf(
  database: Database,
  input: Partial<TagsInput>,
  asked = createAskedSearches(),
  most = 5,
) {
  const counts = await countSearch(database, input.q ?? null);
  return countTags(database, { ...ALL, ...input }, counts, most, asked);
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

  expect(await tagsOf(database, { tag: 'time' }, createAskedSearches(), 2)).toEqual([
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

it('come from stored totals for many listings, and stay exact while listings change', async () => {
  const { database } = many;
  const asked = createAskedSearches();

  expect(await tagsOf(database, { q: 'robot' }, asked)).toEqual([]);
  await keepAskedTotals(database, asked, NEVER);

  const counted = [
    { value: 'web', count: 241 },
    { value: 'time', count: 120 },
    { value: 'rare', count: 1 },
  ];
  expect(await tagsOf(database, { q: 'robot' })).toEqual(counted);
  await writeListings(database, "UPDATE listing SET tags = '{}' WHERE tags = '{web,rare}'");
  expect(await tagsOf(database, { q: 'robot' })).toEqual([
    { value: 'web', count: 240 },
    { value: 'time', count: 120 },
  ]);
});
