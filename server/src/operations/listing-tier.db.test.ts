import { beforeAll, describe, expect, it } from 'vitest';
import { makeAccount } from '../../testing/factories.ts';
import { useOperations } from '../../testing/operations/operation-harness.ts';
import { usableScore } from '../../testing/stand-ins/stand-in-backend.ts';
import { type ListInput, listAgents } from '../directory/lists/list-agents.ts';
import { scoreSubjects } from '../scoring/batches/score-subjects.ts';

const world = useOperations();
const TIERS = ['high', 'medium', 'low'] as const;
/** A lower bound within each tier. */
const BOUND = { high: 80, medium: 41, low: 12 };
const ALL = {
  q: null,
  verified: null,
  category: null,
  sort: 'score_desc',
  limit: 10,
  offset: 0,
  cursor: null,
} as const;

beforeAll(() =>
  world.database.query(
    "UPDATE listing_words SET words = words || array_to_tsvector('{cartograph,cartographer}')",
  ),
);

/**
 * Returns the tier that an unfiltered list shows for the listing, and the tiers whose lists and counts include it,
 * with and without search.
 */
async function shown() {
  const list = (input: Partial<ListInput>) => listAgents(world.database, { ...ALL, tier: null, ...input });
  const placesOf = async (search: Partial<ListInput>) => {
    const places: Record<string, [listed: number, counted: number]> = {};
    for (const tier of TIERS) {
      const { agents, total } = await list({ ...search, tier });
      places[tier] = [agents.length, total];
    }
    return places;
  };
  const tiers = (await list({})).agents.map((agent) => agent.tier);
  return { tiers, plain: await placesOf({}), found: await placesOf({ q: 'cartographer' }) };
}

function inTier(tier: (typeof TIERS)[number]) {
  const places = Object.fromEntries(TIERS.map((each) => [each, each === tier ? [1, 1] : [0, 0]]));
  return { tiers: [tier], plain: places, found: places };
}

describe.each([
  [
    'a metered call',
    async () => expect(await world.run(await makeAccount(world.database))).toMatchObject({ kind: 'settled' }),
  ],
  [
    'a score made by the server',
    () => scoreSubjects(world.database, world.backend, [world.listing.subjectId]),
  ],
])('%s that changes the tier', (_what, score: () => Promise<unknown>) => {
  it.each(['high', 'low', 'medium', 'high'] as const)(
    'moves the listing to %s at once: in its entry, the filter, the search and the totals',
    async (tier) => {
      world.backend.behave(async (request) =>
        usableScore(request, { trust: 90, lowerBound: BOUND[tier], tier: 'medium' }),
      );

      await score();

      expect(await shown()).toEqual(inTier(tier));
    },
  );
});
