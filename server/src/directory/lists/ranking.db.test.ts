import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { idsOf, WHOLE_LIST } from '../../../testing/directory/whole-list.ts';
import { findOutdatedCopies, findWrongTotals, writeListings } from '../../../testing/outdated-copies.ts';
import { countReads } from '../../../testing/read-rows.ts';
import { type MadeListing, makeListing, makeScore } from '../../../testing/subjects/registry.factory.ts';
import { addListingCopies } from '../../catalog/listings/write-listings.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { type ListInput, listAgents } from './list-agents.ts';

const MANY = 4_000;
const TEN: ListInput = { ...WHOLE_LIST, limit: 10 };
/**
 * Maximum rows for a page of ten: one more for the next page, and as many from each of the few index ranges of a
 * filter.
 */
const MOST_READ = 150;

let test: TestDatabase;
let database: Database;
let listing: MadeListing;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
  listing = await makeListing(database, { name: 'mmm', category: 'data' });
  await makeScore(database, listing, { trust: 50, confidence: 50 });
  await copyListing(database, listing.id, MANY);
  // Creates the few matches of some filters, each at one end of a sort order.
  await makeScore(
    database,
    await makeListing(database, { name: 'zzz', category: 'creative', verified: true }),
    {
      trust: 1,
      confidence: 1,
      tier: 'high',
    },
  );
  await database.query('VACUUM ANALYZE listing, listing_rank, listing_words, listing_order, listing_total');
}, 120_000);
afterAll(() => test.close());

/**
 * Copies a listing many times. Every tenth copy has a category whose entries sort last by trust and by name. Of the
 * other copies, the more trusted ones have a licence and a tag.
 */
async function copyListing(connection: Connection, id: string, count: number): Promise<void> {
  const listed = await connection.query<{ subject_id: string; words: string[] }>(
    `WITH made AS (INSERT INTO subject (id, type, name) SELECT gen_random_uuid(), 'skill', 'x'
       FROM generate_series(1, $2::int) RETURNING id)
     INSERT INTO listing (subject_id, registry_row_id, agent_id, type, kind, name, category, creator_id, host,
         repository, repository_url, source, license, tags)
       SELECT m.id, gen_random_uuid(), 'AGT-8' || lpad(n::text, 7, '0'), 'skill', 'skill',
         CASE WHEN n % 10 = 0 THEN 'z ' ELSE 'name ' END || n, CASE WHEN n % 10 = 0 THEN 'research' ELSE 'coding' END, l.creator_id, 'github.com', 'many/' || m.id, 'https://github.com', 'test',
         CASE WHEN n % 100 > 60 AND n % 10 > 0 THEN 'MIT' END, CASE WHEN n % 100 > 60 AND n % 10 > 0 THEN '{search}' ELSE '{}' END::text[]
       FROM (SELECT id, row_number() OVER () AS n FROM made) m, listing l WHERE l.subject_id = $1 RETURNING subject_id, '{}'::text[] AS words`,
    [id, count],
  );
  await addListingCopies(connection, listed);
  await connection.query(
    `UPDATE listing_rank SET trust = CASE category WHEN 'research' THEN 2 ELSE 3 + right(agent_id, 2)::int END,
       confidence = 10, score_version = now() WHERE trust IS NULL`,
  );
}

/** Counts the rows and index entries that a list reads. */
const readBy = (input: ListInput) =>
  countReads(database, ['listing', 'listing_rank', 'listing_words', 'listing_order'], (connection) =>
    listAgents(connection, input),
  );

const SORTS = ['score_desc', 'score_asc', 'name', 'stars', 'updated', 'newest'] as const;
const CHOICES: Partial<ListInput>[] = [
  {},
  { verified: true },
  { verified: false },
  { tier: 'high' },
  { tier: 'low' },
  { category: 'creative' },
  { category: 'data' },
  { category: 'research' },
  { type: 'skill' },
  { kind: 'skill' },
  { tier: 'low', verified: false, type: 'skill' },
  { tier: 'high', category: 'creative', verified: true },
];

describe('a page of a list', () => {
  it.each(SORTS.flatMap((sort) => CHOICES.map((choice) => ({ sort, ...choice }))))(
    'is an index scan that reads only the shown entries: %j',
    async (choice) => {
      const first = await listAgents(database, { ...TEN, ...choice });
      const read = await readBy({ ...TEN, ...choice });

      expect(first.total).toBeGreaterThan(0);
      expect(read).toBeLessThan(MOST_READ);
      const { nextCursor: cursor } = first;
      if (cursor === null) return;
      expect(await readBy({ ...TEN, ...choice, cursor })).toBeLessThan(MOST_READ);
    },
  );

  it.each(SORTS)('has an exact total with a licence or a tag, by %s', async (sort) => {
    for (const choice of [{ license: 'mit' }, { tag: 'search' }]) {
      const found = await listAgents(database, { ...TEN, sort, ...choice });

      expect(found).toMatchObject({ total: (MANY * 36) / 100, totalIsLowerBound: false });
      expect(found.agents).toHaveLength(TEN.limit);
    }
  });

  it.each(SORTS)('is the same far from the start, where index ranges are not merged, by %s', async (sort) => {
    const choice = { ...TEN, sort, tier: 'low' };
    const near = await listAgents(database, { ...choice, offset: 980, limit: 20 });
    const far = await listAgents(database, { ...choice, offset: 981, limit: 20 });

    expect(idsOf(far.agents.slice(0, 19))).toEqual(idsOf(near.agents.slice(1)));
    expect(far.agents).toHaveLength(20);
  });
});

describe('the sort tables', () => {
  const orderedByName = async () =>
    (await listAgents(database, { ...TEN, sort: 'name', category: 'data' })).agents.map(({ name }) => name);

  it('follow a new name', async () => {
    const other = await makeListing(database, { name: 'nnn', category: 'data' });
    expect(await orderedByName()).toEqual(['mmm', 'nnn']);

    await writeListings(database, "UPDATE listing SET name = 'AAA' WHERE subject_id = $1", [other.id]);

    expect(await orderedByName()).toEqual(['AAA', 'mmm']);
  });

  it('are what a recomputation from the listings and their scores gives', async () => {
    expect(await findOutdatedCopies(database)).toEqual([]);
    expect(await findWrongTotals(database)).toEqual([]);

    for (const table of ['listing_rank', 'listing_order', 'listing_words'])
      await database.query(
        `UPDATE ${table} SET category = 'other' WHERE subject_id = (SELECT min(subject_id::text)::uuid FROM ${table})`,
      );

    expect(await findOutdatedCopies(database)).not.toEqual([]);
    await writeListings(database, 'SELECT 1');
    expect(await findOutdatedCopies(database)).toEqual([]);
  });
});
