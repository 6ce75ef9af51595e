import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeListings, readRows, SAMPLE } from '../../../testing/search/sample-listings.ts';
import type { ListingInput } from '../../../testing/subjects/registry.factory.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { listAgents } from './list-agents.ts';

interface RankedQuery {
  kind: string;
  query: string;
  repository: string;
  within: number;
}

const QUERIES = readRows<RankedQuery>('ranked-queries.ndjson');
const LEAST_SHARE = 0.95;

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
  await inTransaction(test.database, (connection) => makeListings(connection, [...SAMPLE, ...decoys()]));
  await test.database.query('VACUUM ANALYZE listing_words, search_word');
}, 120_000);
afterAll(() => test.close());

/**
 * Creates, for each expected listing, one with the same name and fewer stars, and more popular ones that share its
 * words.
 */
function decoys(): (ListingInput & { repository: string })[] {
  const meant = new Map(
    QUERIES.map(({ repository }) => [repository, SAMPLE.find((row) => row.repository === repository)]),
  );
  return [...meant.values()].flatMap((row, at) => {
    if (!row) throw new Error('a query without its listing');
    const name = row.repository.split('/')[1] ?? '';
    const stars = row.stars ?? 0;
    return [
      { repository: `decoy-${at}/${name}`, name, stars: Math.floor(stars / 2) - 1 },
      {
        repository: `decoy-${at}/kit-${at}`,
        name: `Kit ${at}`,
        description: `For ${name} and more`,
        stars: stars * 3,
      },
      {
        repository: `decoy-${at}/awesome-${at}`,
        name: `Awesome list ${at}`,
        tags: [name.toLowerCase()],
        stars: stars * 4,
      },
      { repository: `decoy-${at}/for-${name}`, name: `Plugin for ${name}`, stars: stars * 2 },
    ];
  });
}

describe('ranked queries', () => {
  it(`find the expected listing within its place in at least ${LEAST_SHARE * 100} of 100`, async () => {
    const late: string[] = [];
    for (const { kind, query, repository, within } of QUERIES) {
      const list = { verified: null, tier: null, category: null, offset: 0, cursor: null } as const;
      const { agents } = await listAgents(test.database, {
        ...list,
        q: query,
        sort: 'relevance',
        limit: within,
      });
      const isThere = agents.some((agent) => agent.repositoryUrl === `https://github.com/${repository}`);
      if (!isThere) late.push(`${kind}: ${query} for ${repository}, found ${agents.map(({ name }) => name)}`);
    }

    expect(QUERIES.length).toBeGreaterThanOrEqual(40);
    expect(late.length, late.join('\n')).toBeLessThanOrEqual(QUERIES.length * (1 - LEAST_SHARE));
  });
});
