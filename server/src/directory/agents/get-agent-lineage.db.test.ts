import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import {
  type MadeListing,
  makeCreator,
  makeListing,
  makeScore,
} from '../../../testing/subjects/registry.factory.ts';
import { addListingCopies } from '../../catalog/listings/write-listings.ts';
import type { Database } from '../../platform/database/connect.ts';
import { presentLineage } from '../directory.handlers.ts';
import { getAgent, getAgentLineage } from './get-agent.ts';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
});
afterEach(() => test.empty());
afterAll(() => test.close());

/** Creates a chain of listings, each the parent of the next. */
async function makeChain(length: number): Promise<MadeListing[]> {
  const chain: MadeListing[] = [];
  for (let index = 0; index < length; index += 1) {
    chain.push(await makeListing(database, { parentId: chain.at(-1)?.id ?? null }));
  }
  return chain;
}

async function lineageOf(listing: MadeListing | undefined) {
  return presentLineage(await getAgentLineage(database, listing?.agentId ?? ''), [], new Map());
}

function ids(nodes: { agent: { id: string } }[]): string[] {
  return nodes.map((node) => node.agent.id);
}

describe('getAgent', () => {
  it('finds a listing by its id in any case, with the score of a verified creator', async () => {
    const creator = await makeCreator(database, { verified: true });
    await makeScore(database, creator, { trust: 48.5, confidence: 58.6 });
    const listing = await makeListing(database, { creator, stars: 3 });

    const record = await getAgent(database, listing.agentId.toLowerCase());

    expect(record).toMatchObject({
      agentId: listing.agentId,
      creatorTrust: 48.5,
      creatorConfidence: 58.6,
      stars: 3,
    });
  });

  it('refuses an unknown id', async () => {
    await expect(getAgent(database, 'AGT-ZZZZZZZZ')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('getAgentLineage', () => {
  it('is only the listing itself if it has no relatives', async () => {
    const [alone] = await makeChain(1);

    expect(await lineageOf(alone)).toEqual({
      root: expect.objectContaining({ id: alone?.agentId }),
      relations: [],
      ancestors: [],
      descendants: [],
      depth: 0,
    });
  });

  it('has ancestors nearest first and descendants breadth first, children of one parent by id', async () => {
    const [oldest, older, root, child] = await makeChain(4);
    const secondChild = await makeListing(database, { parentId: root?.id ?? null });
    const grandchild = await makeListing(database, { parentId: child?.id ?? null });
    const otherGrandchild = await makeListing(database, { parentId: secondChild.id });
    const uncle = await makeListing(database, { parentId: oldest?.id ?? null });

    const lineage = await lineageOf(root);

    expect(ids(lineage.ancestors)).toEqual([older?.agentId, oldest?.agentId]);
    const expected = [child, secondChild, grandchild, otherGrandchild].map((listing) => listing?.agentId);
    expect(ids(lineage.descendants)).toEqual(expected);
    expect(ids(lineage.descendants)).not.toContain(uncle.agentId);
    expect(lineage.depth).toBe(4);
    expect(lineage.ancestors.map((node) => node.parentId)).toEqual([oldest?.agentId, null]);
    expect(lineage.descendants[0]?.parentId).toBe(root?.agentId);
  });

  it('shows 64 ancestors and reports truncation', async () => {
    const chain = await makeChain(66);

    const whole = await lineageOf(chain[64]);
    const cut = await lineageOf(chain[65]);

    expect(whole.ancestors).toHaveLength(64);
    expect(whole.truncated).toBeUndefined();
    expect(ids(whole.descendants)).toEqual([chain[65]?.agentId]);
    expect(cut.ancestors).toHaveLength(64);
    expect(cut.truncated).toBe(true);
    expect(cut.ancestors.at(-1)?.parentId).toBe(chain[0]?.agentId);
    expect(cut.depth).toBe(64);
  });

  it('shows the 1,000 nearest descendants and reports truncation', async () => {
    const root = await makeListing(database);
    const child = await makeListing(database, { parentId: root.id });
    const insert = async (parent: string, count: number, from: number) => {
      const listed = await database.query<{ subject_id: string; words: string[] }>(
        `WITH made AS (INSERT INTO subject (id, type, name) SELECT gen_random_uuid(), 'skill', 'x'
           FROM generate_series(1, $2::int) RETURNING id)
         INSERT INTO listing (subject_id, registry_row_id, agent_id, type, kind, name, category, creator_id, host,
           repository, repository_url, parent_id, parent_relation, parent_stated, source)
         SELECT m.id, gen_random_uuid(), 'AGT-9' || lpad(($3::int + row_number() OVER ())::text, 7, '0'), 'skill', 'skill',
           'x', 'other', l.creator_id, 'github.com', 'many/' || m.id, 'https://github.com', $1, 'fork_of', true, 'test'
         FROM made m, listing l WHERE l.subject_id = $1 RETURNING subject_id, '{}'::text[] AS words`,
        [parent, count, from],
      );
      await addListingCopies(database, listed);
    };
    await insert(child.id, 500, 0);
    await insert(root.id, 600, 500);

    const { descendants, truncated, depth } = await lineageOf(root);

    expect(descendants).toHaveLength(1000);
    expect(truncated).toBe(true);
    expect(depth).toBe(2);
    const places = descendants.map((node) => node.parentId);
    expect(places.slice(0, 601)).toEqual(Array(601).fill(root.agentId));
    expect(places.slice(601)).toEqual(Array(399).fill(child.agentId));
    const grandchildren = ids(descendants.slice(601));
    expect(grandchildren).toEqual([...grandchildren].sort());
    expect(grandchildren[0]).toBe('AGT-90000001');
  });

  it('stops at a cycle in the data, which the directory itself never creates', async () => {
    const [first, second, third] = await makeChain(3);
    await database.query(
      "UPDATE listing SET parent_id = $2, parent_relation = 'fork_of', parent_stated = true WHERE subject_id = $1",
      [first?.id, third?.id],
    );

    const lineage = await lineageOf(second);

    expect(ids(lineage.ancestors)).toEqual([first?.agentId, third?.agentId]);
    expect(ids(lineage.descendants)).toEqual([third?.agentId, first?.agentId]);
  });
});

describe('trust equity', () => {
  const score = { trust: 90, confidence: 90, ownTrust: 86.8, ownConfidence: 83 };

  it('flows from the parent’s own score: half while the edge is a claim, all of it once acknowledged', async () => {
    const parent = await makeListing(database, { verified: true });
    await makeScore(database, parent, score);
    const claimed = await makeListing(database, { parentId: parent.id });
    const acknowledged = await makeListing(database, { parentId: parent.id, acknowledged: true });

    const { descendants } = await lineageOf(parent);

    expect(descendants.map((node) => [node.agent.id, node.trustEquityFlow])).toEqual([
      [claimed.agentId, 30.6],
      [acknowledged.agentId, 61.2],
    ]);
  });

  it('flows in full to a child of the same creator', async () => {
    const creator = await makeCreator(database);
    const parent = await makeListing(database, { creator });
    await makeScore(database, parent, score);
    await makeListing(database, { creator, parentId: parent.id });

    expect((await lineageOf(parent)).descendants[0]?.trustEquityFlow).toBe(61.2);
  });

  it('is 0 without a parent or if the parent has no score; ancestors show their own', async () => {
    const [oldest, middle, root, leaf] = await makeChain(4);
    await makeScore(database, oldest ?? { id: '' }, score);

    const lineage = await lineageOf(root);

    expect(lineage.ancestors.map((node) => [node.agent.id, node.trustEquityFlow])).toEqual([
      [middle?.agentId, 30.6],
      [oldest?.agentId, 0],
    ]);
    expect(lineage.descendants.map((node) => [node.agent.id, node.trustEquityFlow])).toEqual([
      [leaf?.agentId, 0],
    ]);
  });

  it('uses the current score of the parent, not an earlier one', async () => {
    const [parent, child] = await makeChain(2);
    const current = { ...score, ownTrust: 40, ownConfidence: 50, version: '2026-07-15T00:00:00Z' };
    const others = ['2026-06-01T00:00:00Z', '2026-08-01T00:00:00Z'].map((version) => ({ ...score, version }));
    for (const each of [...others, current]) await makeScore(database, parent ?? { id: '' }, each);

    const { rootEdge } = await getAgentLineage(database, child?.agentId ?? '');

    expect(rootEdge).toMatchObject({
      trustEquityFlow: 8.5,
      parentId: parent?.agentId,
      relation: 'based_on',
      acknowledged: false,
    });
  });
});
