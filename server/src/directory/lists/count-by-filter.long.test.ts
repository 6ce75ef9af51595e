import { afterEach, beforeEach, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { creator, listing, type Row } from '../../../testing/import/rows.ts';
import { writeListings } from '../../../testing/outdated-copies.ts';
import { makeScore } from '../../../testing/subjects/registry.factory.ts';
import { searchWords } from '../../catalog/listings/search-words.ts';
import { buildSearch } from '../search/build-search.ts';
import { matchOf } from '../search/match-conditions.sql.ts';
import { countSearch, countSelected, type Facet } from './count-by-filter.ts';
import { listAgents } from './list-agents.ts';

const SEARCHES = [null, 'r', 'robot', 'robot paint', 'works', 'acme', 'renamed', 'owner', 'absent'];
const ALL = { type: null, verified: null, tier: null, category: null, kind: null, license: null };
const WHOLE = { ...ALL, sort: 'name', limit: 1, offset: 0, cursor: null } as const;
const ROBOT = { githubRepoId: '7', name: 'Robot', description: 'Paints.' };

let work: ImportWorkspace;

beforeEach(async () => {
  work = await createImportWorkspace({
    imported: [
      listing('acme/robot', ROBOT),
      listing('acme/painter', {
        type: 'agent',
        kind: 'agent',
        category: 'data',
        description: 'Paints for robots.',
      }),
      listing('other/robot', { category: 'data' }),
      listing('other/clock', { category: 'creative' }),
    ],
  });
  await expectPlainCounts();
});

afterEach(() => work.close());

type Stored = Omit<Facet, 'count'> & { texts: (string | null)[] };

/** Reads every listing and checks its texts one by one. */
async function countPlainly(q: string | null): Promise<Facet[]> {
  const stored = await work.database.query<Stored>(
    `SELECT l.type, l.verified, k.tier, l.category, l.kind, coalesce(l.license, '') AS license, ARRAY[l.name, l.repository, l.description, c.handle, c.display_name] || l.tags AS texts
     FROM listing l JOIN listing_rank k ON k.subject_id = l.subject_id JOIN creator c ON c.subject_id = l.creator_id`,
  );
  const facets = new Map<string, Facet>();
  for (const { texts, ...values } of stored) {
    const words = texts.flatMap((text) => searchWords(text ?? ''));
    if (!searchWords(q ?? '').every((asked) => words.some((word) => word.startsWith(asked)))) continue;
    const facet = facets.get(JSON.stringify(values)) ?? { ...values, count: 0 };
    facets.set(JSON.stringify(values), { ...facet, count: facet.count + 1 });
  }
  return [...facets.values()];
}

const inOrder = (facets: readonly Facet[]) => facets.map((facet) => JSON.stringify(facet)).sort();

/** Counts the matches of a search with all words, the rule for lists that are not sorted by relevance. */
async function counts(q: string | null): Promise<readonly Facet[]> {
  const search = q === null ? null : await buildSearch(work.database, q);
  return (await countSearch(work.database, matchOf(search, [], false))).found;
}

/** Compares the counts of every search with a plain count, and with the list's total. */
async function expectPlainCounts(): Promise<void> {
  for (const q of SEARCHES) {
    const plain = await countPlainly(q);
    const counted = await counts(q);
    const list = await listAgents(work.database, { ...WHOLE, q });

    expect(inOrder(counted)).toEqual(inOrder(plain));
    expect(list.total).toBe(countSelected(plain, ALL));
  }
}

/** Returns the number of matches of a search with a filter. */
async function count(q: string, filter: Partial<typeof ALL> | Row = {}): Promise<number> {
  return countSelected(await counts(q), { ...ALL, ...filter });
}

async function idOf(repository: string): Promise<string> {
  const [row] = await work.database.query<{ id: string }>(
    'SELECT subject_id AS id FROM listing WHERE repository = $1',
    [repository],
  );
  if (!row) throw new Error(`${repository} is not listed`);
  return row.id;
}

it('equal a plain count after imports of new, changed and unchanged rows', async () => {
  expect(await count('robot')).toBe(3);
  expect(await count('robot paint', { category: 'data', type: 'agent' })).toBe(1);

  await work.store(
    listing('acme/robot', { ...ROBOT, name: 'Clock', category: 'research' }),
    listing('other/robot', { category: 'data' }),
    listing('new/robot'),
  );

  // The renamed listing still matches by its repository, `acme/robot`.
  expect(await count('robot')).toBe(4);
  expect(await count('clock', { category: 'research' })).toBe(1);
  await expectPlainCounts();
});

itAtNight('follow a score into another tier', async () => {
  await makeScore(
    work.database,
    { id: await idOf('acme/robot') },
    { trust: 90, confidence: 90, tier: 'high' },
  );

  expect(await count('robot', { tier: 'high' })).toBe(1);
  await expectPlainCounts();
});

it('follow the verified flag, set and cleared', async () => {
  for (const expected of [2, 0]) {
    await writeListings(
      work.database,
      "UPDATE listing SET verified = NOT verified WHERE repository LIKE 'acme/%'",
    );

    expect(await count('paint', { verified: true })).toBe(expected);
    await expectPlainCounts();
  }
});

itAtNight('exclude delisted listings', async () => {
  await work.database.query("DELETE FROM listing WHERE repository = 'other/robot'");

  expect(await count('robot')).toBe(2);
  await expectPlainCounts();
});

itAtNight('follow a repository to its new owner, and a creator to its new name', async () => {
  await work.store(
    listing('owner/renamed', { ...ROBOT, name: 'renamed', formerRepositories: ['acme/robot'] }),
  );
  await work.store(creator('acme', { displayName: 'Acme Works' }));

  expect(await count('owner')).toBe(1);
  expect(await count('acme')).toBe(1);
  expect(await count('works')).toBe(1);
  await expectPlainCounts();
});
