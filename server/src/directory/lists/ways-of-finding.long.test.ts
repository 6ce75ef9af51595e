import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeManyListings } from '../../../testing/directory/make-many-listings.ts';
import { matchesOf } from '../../../testing/directory/whole-list.ts';
import { countReads } from '../../../testing/read-rows.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import type { Match } from '../search/match-conditions.sql.ts';
import { rankMatches } from '../search/rank-matches.queries.ts';
import { keyRangesOf } from './cursor.ts';
import { type Finding, readPage } from './list-agents.queries.ts';
import type { Sort } from './sorts.ts';

const MANY = 3_000;
/** Maximum rows for a page of ten, including those checked on the way. */
const MOST_READ = 150;
const BY_RANK = ['score_desc', 'score_asc', 'name', 'relevance'] as const;

const wordOf = (word: string): Match => ({ by: `'${word}':*`, hasText: true, expected: MANY, counted: 0 });

let test: TestDatabase;
let database: Database;

/**
 * Every listing is `common`; the last ones by name and by score are `later`; every hundredth has no score.
 */
beforeAll(async () => {
  test = await createTestDatabase({ outdatedCopies: true, statementTimeoutMs: 60_000 });
  database = test.database;
  const listing = await makeListing(database, { name: 'aaa' });
  await makeManyListings(database, listing.id, MANY, {
    words: `'common' || CASE WHEN n > ${MANY * 0.9} THEN ' later' ELSE '' END`,
    trust: `CASE WHEN n % 100 = 0 THEN NULL ELSE 90 - n / ${MANY / 50} END`,
  });
  await database.query('UPDATE listing_words SET popularity = right(agent_id, 2)::int WHERE agent_id ~ $1', [
    '^AGT-8[0-9]{7}$',
  ]);
  await database.query('VACUUM ANALYZE listing, listing_rank, listing_words, listing_order, listing_total');
}, 120_000);
afterAll(() => test.close());

/** Returns the number of rows and index entries that are read for a page of ten. */
function readFor(sort: Sort, match: Match, by: Finding): Promise<number> {
  const filters = { sort, search: { match, by } };
  return readBy((connection) =>
    readPage(connection, filters, keyRangesOf(sort, null), { offset: 0, limit: 10 }),
  );
}

const readBy = (work: (connection: Connection) => Promise<unknown>) =>
  countReads(database, ['listing_rank', 'listing_words'], work);

describe('the rows that are read', () => {
  it.each(BY_RANK)('are little more than the page if most listings match, by %s', async (sort) => {
    expect(await readFor(sort, wordOf('common'), 'rank')).toBeLessThan(MOST_READ);
  });

  it('by a ranking are those of the most popular listings until enough match, if most listings match', async () => {
    const matches = { ...(await matchesOf(database, 'common')), match: wordOf('common') };
    const bounds = { compared: 10, read: 50, popular: 30, enough: 5 };
    const most = await readBy((connection) => rankMatches(connection, { ...matches, bounds }));

    expect(most).toBeLessThan(MOST_READ);
  });

  it.each(BY_RANK)('by the word index are few matches, without a sort index, by %s', async (sort) => {
    const most = await readFor(sort, wordOf('later'), 'words');

    // Each match costs up to four reads: in the word index, in `listing_words`, and two for its row in the sort order.
    expect(most).toBeLessThan(4 * (MANY / 10) + MOST_READ);
  });
});
