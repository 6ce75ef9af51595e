import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { idsOf, readToEnd, WHOLE_LIST } from '../../../testing/directory/whole-list.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { writeListings } from '../../../testing/outdated-copies.ts';
import { makeListing, makeScore } from '../../../testing/subjects/registry.factory.ts';
import type { Database } from '../../platform/database/connect.ts';
import { buildSearch } from '../search/build-search.ts';
import type { Match } from '../search/match-conditions.sql.ts';
import { countSearch } from './count-by-filter.ts';
import { keyRangesOf } from './cursor.ts';
import {
  COLUMN_FILTERS,
  COUNTED_FILTERS,
  chosenOf,
  FILTERS,
  type Filter,
  filterTermsOf,
  SCORE_FILTERS,
  SHOWN_FILTERS,
  selectOnly,
  TERM_FILTERS,
} from './filters.ts';
import { type Finding, type ListedRow, type PageWindow, readPage } from './list-agents.queries.ts';
import { type ListInput, listAgents, matchOfInput } from './list-agents.ts';
import { SORT_NAMES, SORTS as SORTS_BY_NAME, type Sort } from './sorts.ts';

type ListedSort = Exclude<Sort, 'relevance'>;
/** All sort orders except relevance, which has its own tests. */
const SORTS = SORT_NAMES.filter((sort): sort is ListedSort => sort !== 'relevance');
const LICENSES = ['MIT', null, 'mit', 'Some "odd\\one\'s', 'Apache-2.0'];
const KINDS = ['mcp-server', 'plugin', 'skill'];
const TAGS = [['browser', 'Web Search'], [], ['web'], ['browser'], ["it's"], ['#k:plugin']];
const MANY = 41;

/** A stored listing, with all columns that filters are named after. */
type Stored = Record<Exclude<Filter, 'tag'>, string | boolean | null> & {
  id: string;
  tags: string[];
  name: string;
  description: string;
  trust: number | null;
  stars: number | null;
  updated: string | null;
  newest: string;
};

let test: TestDatabase;
let database: Database;
let stored: Stored[];

/** Creates listings with many equal and unknown values, and two times that differ by a microsecond. */
beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
  for (let at = 0; at < MANY; at += 1) await makeOne(at);
  const rows = await database.query<{ row: Stored } & Pick<Stored, 'id' | 'updated' | 'newest'>>(
    `SELECT to_jsonb(k) || to_jsonb(l) AS row, l.agent_id AS id, utc_text(l.last_commit_at) AS updated,
       utc_text(l.listed_at) AS newest
     FROM listing l JOIN listing_rank k ON k.subject_id = l.subject_id`,
  );
  stored = rows.map(({ row, ...sorted }) => ({ ...row, ...sorted }));
});
afterAll(() => test.close());

async function makeOne(at: number): Promise<void> {
  const listing = await makeListing(database, {
    name: ['Robot', 'Atlas', 'Clock'][at % 3] ?? '',
    description: at % 2 === 0 ? 'Paints walls.' : 'Tells the time.',
    category: ['coding', 'data'][at % 2] ?? '',
    type: at % 4 === 0 ? 'agent' : 'skill',
    license: 'stated later',
    listedAt: `2026-01-0${(at % 3) + 1}T00:00:00.00000${at % 2}Z`,
  });
  if (at % 4 !== 1) {
    const tier = at % 7 === 0 ? 'high' : 'low';
    await makeScore(database, listing, { trust: 10 + (at % 5), confidence: 20, tier });
    await database.query("UPDATE listing_rank SET verdict = $2, reasons = '{}' WHERE subject_id = $1", [
      listing.id,
      at % 3 === 0 ? 'warning' : 'little_evidence',
    ]);
  }
  // Updates columns that lists sort and filter by, as a later import or refresh does.
  await writeListings(
    database,
    `UPDATE listing SET kind = $2, license = $3, tags = $4, stars = $5, last_commit_at = $6, verified = $7 WHERE subject_id = $1`,
    [
      listing.id,
      at % 4 === 0 ? 'agent' : KINDS[at % KINDS.length],
      LICENSES[at % LICENSES.length],
      TAGS[at % TAGS.length],
      at % 3 === 0 ? null : (at % 4) * 100,
      at % 3 === 1 ? null : `2026-02-0${(at % 4) + 1}T10:00:00.00000${at % 2}Z`,
      at % 5 === 0,
    ],
  );
}

type Choice = Partial<ListInput>;
const CHOICES: Choice[] = [
  {},
  { kind: 'mcp-server' },
  { kind: 'agent', verified: true },
  { license: 'mit' },
  { license: 'MIT', kind: 'plugin', category: 'data' },
  { license: 'Some "odd\\one\'s' },
  { license: 'none of these' },
  { tag: 'browser' },
  { tag: 'BROWSER', type: 'skill' },
  { tag: 'web search' },
  { tag: "it's" },
  { tag: '#k:plugin' },
  { tag: 'brows' },
  { type: 'agent' },
  { q: 'robot' },
  { q: 'paint', kind: 'skill' },
  { q: 'robot', tag: 'browser', license: 'mit' },
  { q: 'r t', type: 'skill', kind: 'mcp-server', license: 'apache-2.0', verified: false },
  { verdict: 'warning' },
  { verdict: 'little_evidence', category: 'data', verified: false },
  { verdict: 'warning', license: 'MIT' },
  { verdict: 'verified' },
  { q: 'robot', verdict: 'warning', tag: 'browser' },
  { q: 'tells', verdict: 'little_evidence', type: 'skill' },
  { q: 'browser' },
  { q: '#k:plugin' },
];

const WAYS: Finding[] = ['words', 'rank'];

const SEARCHES = CHOICES.filter(
  (choice) => 'q' in choice || 'verdict' in choice || filterTermsOf(choice).length > 0,
);

/** Returns the matches of a choice's text, filter terms and verdict; null without all of them. */
async function matchesOf(choice: Choice): Promise<Match | null> {
  const search = choice.q ? await buildSearch(database, choice.q) : null;
  return matchOfInput({ ...WHOLE_LIST, ...choice, sort: 'name' }, search);
}

const small = (text: unknown) => String(text ?? '').toLowerCase();

/** Returns the values of a filter that a listing has. */
function valuesOf(row: Stored, filter: Filter): readonly (string | boolean)[] {
  if (filter === 'tag') return row.tags;
  const value = row[filter];
  return value === null ? [] : [value];
}

/** Returns values of a filter that some listings have and others do not. */
function someValues(filter: Filter): (string | boolean)[] {
  return [...new Set(stored.flatMap((row) => valuesOf(row, filter)))].slice(0, 2);
}

/** Filters by checking every listing. */
function findPlainly(choice: Choice): Stored[] {
  const asked = small(choice.q).split(/[^a-z]+/);
  return stored.filter((row) => {
    const words = small(`${row.name} ${row.description}`).split(' ');
    return (
      asked.every((word) => words.some((has) => has.startsWith(word))) &&
      chosenOf([...COLUMN_FILTERS, ...SCORE_FILTERS], choice).every(([name, value]) => row[name] === value) &&
      chosenOf(TERM_FILTERS, choice).every(([name, value]) =>
        valuesOf(row, name).some((has) => small(has) === small(value)),
      )
    );
  });
}

const falling = (a: string | number | null, b: string | number | null) =>
  a === b ? 0 : b === null || (a !== null && a > b) ? -1 : 1;
const BY: Record<ListedSort, (a: Stored, b: Stored) => number> = {
  score_desc: (a, b) => falling(a.trust, b.trust),
  score_asc: (a, b) => (a.trust === null || b.trust === null ? falling(a.trust, b.trust) : a.trust - b.trust),
  name: (a, b) => falling(small(b.name), small(a.name)),
  stars: (a, b) => falling(a.stars, b.stars),
  updated: (a, b) => falling(a.updated, b.updated),
  newest: (a, b) => falling(a.newest, b.newest),
};

/** Sorts ids in the expected order, ties by id; reversed for score_asc. */
function inOrder(sort: ListedSort, rows: readonly Stored[]): string[] {
  const later = sort === 'score_asc' ? 1 : -1;
  return [...rows].sort((a, b) => BY[sort](a, b) || falling(a.id, b.id) * later).map(({ id }) => id);
}

describe.each(SORTS)('a list by %s', (sort) => {
  /** Selects every third case, so that the gate tests each case with two sort orders. */
  const isInTurn = (_: unknown, at: number) => at % 3 === SORTS.indexOf(sort) % 3;
  const expectPlainSort = async (choice: Choice) => {
    const plain = inOrder(sort, findPlainly(choice));

    const input = { ...WHOLE_LIST, ...choice, sort };
    const whole = await listAgents(database, input);
    const part = await listAgents(database, { ...input, offset: 3, limit: 5 });
    const followed = await readToEnd(database, { ...input, limit: 4 });

    expect(idsOf(whole.agents)).toEqual(plain);
    expect(idsOf(part.agents)).toEqual(plain.slice(3, 8));
    expect(followed.ids).toEqual(plain);
    for (const { total } of [whole, part, ...followed.pages]) expect(total).toBe(plain.length);
  };

  it.each(sampleUnlessNightly(CHOICES, isInTurn))(
    'equals a plain sort, whole, by offset and by cursor: %j',
    expectPlainSort,
  );

  it.each(sampleUnlessNightly(SHOWN_FILTERS, isInTurn))(
    'equals a plain sort with values of the filter %s',
    async (filter) => {
      const values = someValues(filter);

      expect(values, `${filter}: give the listings of this test two values`).toHaveLength(2);
      for (const value of values) await expectPlainSort({ [filter]: value });
    },
  );

  it.each(sampleUnlessNightly(SEARCHES, isInTurn))(
    'is the same in both ways of finding the matches: %j',
    async (choice) => {
      const match = await matchesOf(choice);
      const chosen = selectOnly(COLUMN_FILTERS, choice);
      if (match === null) throw new Error('a search without words');
      const plain = inOrder(sort, findPlainly(choice));
      for (const by of WAYS) {
        const filters = { ...chosen, sort, search: { match, by } };
        const read = async (window: PageWindow, last: ListedRow | null = null) => {
          const after = last && {
            keys: SORTS_BY_NAME[sort].keysOf({ ...last, place: null }),
            agentId: last.agentId,
          };
          return (await readPage(database, filters, keyRangesOf(sort, after), window)).rows;
        };
        const later = await read({ offset: 2, limit: 3 });

        expect(idsOf(await read({ offset: 0, limit: MANY })), by).toEqual(plain);
        expect(idsOf(later), by).toEqual(plain.slice(2, 5));
        for (const [at, last] of later.entries())
          expect(idsOf(await read({ offset: 0, limit: 4 }, last)), by).toEqual(plain.slice(3 + at, 7 + at));
      }
    },
  );
});

it('is tested with filters that match something, except for five', () => {
  const empty = CHOICES.filter((choice) => findPlainly(choice).length === 0);

  expect(empty).toEqual([
    { license: 'none of these' },
    { tag: 'brows' },
    { verdict: 'verified' },
    { q: 'browser' },
    { q: '#k:plugin' },
  ]);
});

it('counts every value of the counted filters among the matches', async () => {
  for (const q of [null, 'robot']) {
    for (const chosen of [{}, { tag: 'browser' }, { verdict: 'warning' }]) {
      const { found } = await countSearch(database, await matchesOf({ q, ...chosen }));
      const rows = findPlainly({ ...(q && { q }), ...chosen });

      for (const by of COUNTED_FILTERS) {
        const told = new Map<string | boolean, number>();
        for (const facet of found) told.set(facet[by], (told.get(facet[by]) ?? 0) + facet.count);
        const plain = new Map<string | boolean, number>();
        for (const row of rows) plain.set(row[by] ?? '', (plain.get(row[by] ?? '') ?? 0) + 1);
        expect(told, by).toEqual(plain);
      }
    }
  }
});

it('refuses a cursor of a list with other filters', async () => {
  const first = await listAgents(database, { ...WHOLE_LIST, sort: 'stars', limit: 2 });
  const others: Choice[] = [
    ...SHOWN_FILTERS.flatMap((filter) => someValues(filter).map((value) => ({ [filter]: value }))),
    { sort: 'newest' },
  ];

  expect(others.length).toBeGreaterThan(Object.keys(FILTERS).length);
  for (const other of others) {
    const asked = { ...WHOLE_LIST, sort: 'stars' as const, ...other, cursor: first.nextCursor };
    await expect(listAgents(database, asked)).rejects.toMatchObject({ code: 'invalid_request' });
  }
});
