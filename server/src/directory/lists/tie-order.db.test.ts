import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import { buildSearch } from '../search/build-search.ts';
import { matchOf } from '../search/match-conditions.sql.ts';
import { RANK_BOUNDS, rankMatches } from '../search/rank-matches.queries.ts';

const made: string[] = [];
let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
  for (const digit of [5, 2, 8, 1, 9, 4]) {
    const { id } = await makeListing(test.database, { name: 'paint robot', stars: 40 });
    const agentId = `AGT-SAME000${digit}`;
    for (const table of ['listing_words', 'listing_rank', 'listing_order', 'listing'])
      await test.database.query(`UPDATE ${table} SET agent_id = $2 WHERE subject_id = $1`, [id, agentId]);
    made.push(agentId);
  }
});
afterAll(() => test?.close());

describe('a search by relevance', () => {
  it.each([
    ['that finds few', 1_000],
    ['that finds many', 0],
  ])('%s sorts equal entries by id, whatever order they were stored in', async (_way, read) => {
    const search = await buildSearch(test.database, 'paint robot');
    const match = matchOf(search, [], true);
    if (search === null || match === null) throw new Error('the search has no words');

    const bounds = { ...RANK_BOUNDS, read };
    const { ranked } = await rankMatches(test.database, { search, match, filters: () => [], bounds });

    expect(ranked.map(({ agentId }) => agentId)).toEqual([...made].sort());
  });
});
