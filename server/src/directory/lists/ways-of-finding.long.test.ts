import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeManyListings } from '../../../testing/directory/make-many-listings.ts';
import { matchesOf } from '../../../testing/directory/whole-list.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { countReads } from '../../../testing/read-rows.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import type { Match } from '../search/match-conditions.sql.ts';
import { rankMatches } from '../search/rank-matches.queries.ts';
import { keyRangesOf, type Position } from './cursor.ts';
import { type Finding, type ListedRow, type PageWindow, readPage } from './list-agents.queries.ts';
import { SORT_NAMES, SORTS, type Sort } from './sorts.ts';

const MANY = 3_000;
/** Maximum rows for a page of ten, including those checked on the way. */
const MOST_READ = 150;
/** Category filters: none (null), one that few listings have, and in nightly runs one that nearly all have. */
const CATEGORIES = sampleUnlessNightly([null, 'data', 'creative'], (each) => each !== 'data');
const BY_RANK = ['score_desc', 'score_asc', 'name', 'relevance'] as const;

const wordOf = (word: string): Match => ({ by: `'${word}':*`, hasText: true, expected: MANY, counted: 0 });
const MATCHES: Record<string, Match> = {
  common: wordOf('common'),
  later: wordOf('later'),
  'common, of those the later ones': { ...wordOf('common'), by: "'common':* & 'later':*" },
};

let test: TestDatabase;
let database: Database;

/**
 * Every listing is `common`; the last ones by name and by score are `later`; every hundredth has no score. Popularity,
 * stars and dates have many equal values.
 */
beforeAll(async () => {
  test = await createTestDatabase({ outdatedCopies: true, statementTimeoutMs: 60_000 });
  database = test.database;
  const listing = await makeListing(database, { name: 'aaa' });
  await makeManyListings(database, listing.id, MANY, {
    words: `'common' || CASE WHEN n > ${MANY * 0.9} THEN ' later' ELSE '' END`,
    category: "CASE WHEN n % 50 = 0 THEN 'creative' ELSE 'data' END",
    trust: `CASE WHEN n % 100 = 0 THEN NULL ELSE 90 - n / ${MANY / 50} END`,
  });
  await database.query('UPDATE listing_words SET popularity = right(agent_id, 2)::int WHERE agent_id ~ $1', [
    '^AGT-8[0-9]{7}$',
  ]);
  for (const table of ['listing', 'listing_order'])
    await database.query(`UPDATE ${table} SET stars = right(agent_id, 1)::int WHERE agent_id ~ $1`, [
      '^AGT-8[0-9]{6}[1-7]$',
    ]);
  await database.query('VACUUM ANALYZE listing, listing_rank, listing_words, listing_order, listing_total');
}, 120_000);
afterAll(() => test.close());

function read(
  connection: Connection,
  { sort, category, match, by }: { sort: Sort; category: string | null; match: Match; by: Finding },
  window: PageWindow,
  after: Position | null = null,
): Promise<ListedRow[]> {
  const filters = { sort, category, search: { match, by } };
  return readPage(connection, filters, keyRangesOf(sort, after), window).then(({ rows }) => rows);
}

/** Returns the cursor position after a row. In the order by relevance, the row counts as one that is not ranked. */
function positionOf(sort: Sort, row: ListedRow): Position {
  return { keys: SORTS[sort].keysOf({ ...row, place: null }), agentId: row.agentId };
}

describe('matches found by the word index, and by checking entries in the order of the sort', () => {
  it.each(SORT_NAMES.flatMap((sort) => CATEGORIES.map((category) => ({ sort, category }))))(
    'are the same from the start, by offset and by cursor: %j',
    async ({ sort, category }) => {
      for (const [name, match] of Object.entries(MATCHES)) {
        const both = async (window: PageWindow, after: Position | null = null) => {
          const all = { sort, category, match };
          const byWords = await read(database, { ...all, by: 'words' }, window, after);
          expect(await read(database, { ...all, by: 'rank' }, window, after), name).toEqual(byWords);
          return byWords;
        };
        const whole = await both({ offset: 0, limit: MANY + 1 });
        expect(whole.length).toBe((name === 'common' ? MANY : MANY / 10) * shareOf(category));

        for (const offset of [3, 25, whole.length - 4].filter((each) => each < whole.length)) {
          const page = await both({ offset, limit: 8 });
          expect(page).toEqual(whole.slice(offset, offset + 8));
          const last = page.at(-1);
          if (!last) throw new Error('an empty page');
          const next = await both({ offset: 0, limit: 8 }, positionOf(sort, last));
          expect(next).toEqual(whole.slice(offset + 8, offset + 16));
        }
      }
    },
  );
});

const shareOf = (category: string | null) => ({ data: 0.98, creative: 0.02 })[category ?? ''] ?? 1;

const readBy = (work: (connection: Connection) => Promise<unknown>) =>
  countReads(database, ['listing_rank', 'listing_words'], work);

describe('the rows that are read', () => {
  it.each(BY_RANK)('are little more than the page if most listings match, by %s', async (sort) => {
    const page = { sort, category: null, match: wordOf('common'), by: 'rank' } as const;
    const most = await readBy((connection) => read(connection, page, { offset: 0, limit: 10 }));

    expect(most).toBeLessThan(MOST_READ);
  });

  it('by a ranking are those of the most popular listings until enough match, if most listings match', async () => {
    const matches = { ...(await matchesOf(database, 'common')), match: wordOf('common') };
    const bounds = { compared: 10, read: 50, popular: 30, enough: 5 };
    const most = await readBy((connection) => rankMatches(connection, { ...matches, bounds }));

    expect(most).toBeLessThan(MOST_READ);
  });

  it.each(BY_RANK)('by the word index are few matches, without a sort index, by %s', async (sort) => {
    const page = { sort, category: null, match: wordOf('later'), by: 'words' } as const;
    const most = await readBy((connection) => read(connection, page, { offset: 0, limit: 10 }));

    // Each match costs up to four reads: in the word index, in `listing_words`, and two for its row in the sort order.
    expect(most).toBeLessThan(4 * (MANY / 10) + MOST_READ);
  });
});
