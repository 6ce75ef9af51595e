import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { expectEveryRow } from '../../../testing/every-row.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import { FILTERS, type Filter, type FilterSelection, filterValuesOf } from './filters.ts';
import { type ListInput, listAgents } from './list-agents.ts';
import { listWithFacets } from './list-with-facets.ts';

const FILTER_NAMES = Object.keys(FILTERS) as Filter[];
const TIERS = ['high', 'medium', 'low'] as const;
const VERDICTS = ['verified', 'well_evidenced', 'little_evidence', 'warning'] as const;
const CATEGORIES = ['coding', 'data'] as const;
const OLD = '2026-01-01T00:00:00Z';
const RECENT = '2026-06-01T00:00:00Z';
const BETWEEN = Date.parse('2026-03-01T00:00:00Z');

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
  for (let number = 0; number < 24; number += 1) {
    const { id } = await makeListing(test.database, {
      name: number % 3 === 0 ? `browser tool ${number}` : `tool ${number}`,
      type: number % 2 === 0 ? 'agent' : 'skill',
      category: CATEGORIES[number % 2] ?? 'coding',
      license: number % 4 === 0 ? 'MIT' : 'Apache-2.0',
      tags: number % 5 === 0 ? ['web', 'five'] : ['web'],
      verified: number % 6 === 0,
    });
    await test.database.query(
      `UPDATE listing_rank SET trust = 50, confidence = 40, tier = $2, verdict = $3, reasons = '{}', score_version = $4
       WHERE subject_id = $1`,
      [id, TIERS[number % 3], VERDICTS[number % 4], number % 8 === 0 ? RECENT : OLD],
    );
    await test.database.query('UPDATE listing SET updated_at = $2 WHERE subject_id = $1', [
      id,
      number % 12 === 1 ? RECENT : OLD,
    ]);
  }
});
afterAll(() => test.close());

function input(selection: FilterSelection & Partial<ListInput>): ListInput {
  const { q = null, sort = 'score_desc', limit = 100, offset = 0, updatedSince = null } = selection;
  const { type, verified, tier, category, kind, license, tag, verdict } = selection;
  const filters = filterValuesOf({ type, verified, tier, category, kind, license, tag, verdict });
  return { ...filters, q, sort, limit, offset, cursor: null, updatedSince };
}

const ALL_SELECTIONS: readonly (FilterSelection & Partial<ListInput>)[] = [
  {},
  { tier: 'high' },
  { type: 'agent', category: 'coding', tag: 'five' },
  { license: 'mit' },
  { license: 'MIT', tag: 'web', verified: true },
  { verdict: 'warning' },
  { verdict: 'verified', category: 'coding', license: 'MIT' },
  { q: 'tool', verdict: 'little_evidence', tag: 'five', sort: 'relevance' },
  { updatedSince: BETWEEN, verdict: 'well_evidenced' },
  { q: 'browser' },
  { q: 'browser', tier: 'high', sort: 'relevance' },
  { q: 'browser', license: 'MIT', tag: 'five' },
  { updatedSince: BETWEEN },
  { updatedSince: BETWEEN, q: 'tool', tier: 'high', license: 'MIT' },
  { q: 'nothing-of-this-name' },
];
const SELECTIONS = sampleUnlessNightly(ALL_SELECTIONS, (_, at) => at % 3 === 0);

describe('a list with facets', () => {
  it('is the same list as without them', async () => {
    await expectEveryRow(
      SELECTIONS,
      (selection) => JSON.stringify(selection),
      async (selection) => {
        const list = await listWithFacets(test.database, input(selection), FILTER_NAMES);

        expect(list).toMatchObject(await listAgents(test.database, input(selection)));
      },
    );
  });

  it('counts what another value of a filter would find under all other filters', async () => {
    await expectEveryRow(
      SELECTIONS,
      (selection) => JSON.stringify(selection),
      async (selection) => {
        const { facets } = await listWithFacets(test.database, input(selection), FILTER_NAMES);

        expect(Object.keys(facets)).toEqual(FILTER_NAMES);
        for (const name of FILTER_NAMES) {
          for (const { value, count, isLowerBound = false } of facets[name] ?? []) {
            const chosen = name === 'verified' ? value === 'true' : value;
            const found = await listAgents(test.database, input({ ...selection, [name]: chosen }));
            expect({ name, value, count, isLowerBound }).toEqual({
              name,
              value,
              count: found.total,
              isLowerBound: false,
            });
          }
        }
        const { agents } = await listAgents(test.database, input({ ...selection, verdict: null }));
        for (const { value, count } of facets.verdict ?? [])
          expect(count).toBe(agents.filter(({ verdict }) => verdict === value).length);
        expect((facets.verdict ?? []).reduce((sum, { count }) => sum + count, 0)).toBe(agents.length);
      },
    );
  });

  it('has every value that the entries have, most frequent first', async () => {
    const { facets } = await listWithFacets(test.database, input({}), ['tier', 'license', 'tag', 'verdict']);

    expect(facets.tier?.map(({ value }) => value).sort()).toEqual([...TIERS].sort());
    expect(facets.license).toMatchObject([
      { value: 'Apache-2.0', count: 18 },
      { value: 'MIT', count: 6 },
    ]);
    expect(facets.tag).toMatchObject([
      { value: 'web', count: 24 },
      { value: 'five', count: 5 },
    ]);
    expect(facets.verdict).toHaveLength(4);
  });
});

describe('updatedSince', () => {
  it('finds what has changed or was scored since, in every order, and counts it', async () => {
    const sorts = ['score_desc', 'score_asc', 'name', 'stars', 'updated', 'newest'] as const;
    for (const sort of sorts) {
      const { agents, total } = await listAgents(test.database, input({ updatedSince: BETWEEN, sort }));

      expect(total).toBe(agents.length);
      expect(agents.map(({ name }) => name).sort()).toEqual(
        ['browser tool 0', 'tool 8', 'tool 16', 'tool 1', 'tool 13'].sort(),
      );
    }
  });

  it('includes the moment itself, and nothing of a later one', async () => {
    const recent = Date.parse(RECENT);

    expect((await listAgents(test.database, input({ updatedSince: recent }))).total).toBe(5);
    expect((await listAgents(test.database, input({ updatedSince: recent + 1 }))).total).toBe(0);
  });

  it('continues with a cursor, which belongs to this moment only', async () => {
    const first = await listAgents(test.database, input({ updatedSince: BETWEEN, limit: 2 }));
    const cursor = first.nextCursor ?? '';
    const next = { ...input({ updatedSince: BETWEEN, limit: 3 }), cursor };

    const rest = await listAgents(test.database, next);

    expect(new Set([...first.agents, ...rest.agents].map(({ agentId }) => agentId)).size).toBe(5);
    expect(rest.nextCursor).toBeNull();
    const other = { ...next, updatedSince: BETWEEN + 1 };
    await expect(listAgents(test.database, other)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
