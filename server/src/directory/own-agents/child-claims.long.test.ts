import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeAtNight, itAtNight } from '../../../testing/at-night.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { writeListings } from '../../../testing/outdated-copies.ts';
import { openFilledWorld, type ProofWorld } from '../../../testing/proofs/proof-world.ts';
import { type MadeListing, makeListing } from '../../../testing/subjects/registry.factory.ts';
import { scoreSubjects } from '../../scoring/batches/score-subjects.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { getAgent, getAgentLineage } from '../agents/get-agent.ts';
import { acknowledgeChild, listChildClaims } from './child-claims.ts';

let world: ProofWorld;
let owner: string;
let parent: MadeListing;
let child: MadeListing;

beforeEach(async () => {
  const { world: filled, made } = await openFilledWorld('a verified parent and its child', makeFamily);
  world = filled;
  ({ owner, parent, child } = made);
});
afterEach(() => world.close());

async function makeFamily({ account, database, prove, standIn }: ProofWorld) {
  const accountId = await account('owner');
  const metrics = { stars: 9_000, forks: 900, openIssues: 10, license: 'MIT' };
  const acme = await makeListing(database, {
    repository: 'acme/robot',
    lastCommitAt: new Date().toISOString(),
    ...metrics,
  });
  const fork = await makeListing(database, { parentId: acme.id, license: 'MIT' });
  await prove(accountId, standIn.world.account({ handle: 'acme' }));
  await scoreSubjects(database, embeddedBackend, [acme.id, fork.id]);
  return { owner: accountId, parent: acme, child: fork };
}

function judge(acknowledged: boolean, accountId = owner) {
  return acknowledgeChild(world.database, {
    accountId,
    childAgentId: child.agentId,
    acknowledged,
    backend: embeddedBackend,
    lockCredential: async () => undefined,
  });
}
const list = (acknowledged: boolean | null = null, limit = 20, cursor: string | null = null) =>
  listChildClaims(world.database, owner, { acknowledged, limit, cursor });
const trustOf = async () => (await getAgent(world.database, child.agentId)).trust ?? 0;
const flow = async () => (await getAgentLineage(world.database, child.agentId)).rootEdge.trustEquityFlow;

describe('an acknowledgement', () => {
  it('doubles the flow to the child and raises its score; withdrawing it lowers both', async () => {
    const [half, before] = [await flow(), await trustOf()];

    const claim = await judge(true);

    expect(claim.trustEquityFlow).toBe(await flow());
    expect(await flow()).toBeCloseTo(half * 2, 0);
    expect(await trustOf()).toBeGreaterThan(before);

    await judge(false);
    expect([await flow(), await trustOf()]).toEqual([half, before]);
  });

  itAtNight('keeps its first time when repeated', async () => {
    const { acknowledgedAt } = await judge(true);

    expect((await judge(true)).acknowledgedAt).toBe(acknowledgedAt);
  });

  it('is only for the parent’s creator; for others the claim does not exist', async () => {
    const stranger = await world.account();
    await world.prove(stranger, world.standIn.world.account({ handle: 'strange-labs' }));

    await expect(judge(true, stranger)).rejects.toMatchObject({ code: 'not_found' });

    expect((await list()).claims).toMatchObject([{ acknowledgedAt: null }]);
  });

  it('requires a proof of the parent’s owner, and names the repository', async () => {
    await writeListings(world.database, 'UPDATE listing SET verified = false');

    await expect(judge(true)).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('github.com/acme/robot'),
    });
  });

  it.each(sampleUnlessNightly(['has a creator of its own', 'has none'], (has) => has === 'has none'))(
    'is withdrawn when an account that %s takes over the parent',
    async (standing) => {
      await judge(true);
      const newer = await world.account('newer');
      const [host] = world.standIn.world.accounts;
      if (!host) throw new Error('no host account');
      if (standing !== 'has none')
        await world.prove(newer, world.standIn.world.account({ handle: 'newer-labs' }));

      await world.prove(newer, host);

      expect(await flow()).toBeGreaterThan(0);
      const [row] = await world.database.query(
        'SELECT parent_acknowledged_at IS NULL AS withdrawn FROM listing WHERE subject_id = $1',
        [child.id],
      );
      expect(row).toEqual({ withdrawn: true });
    },
  );

  it('ends in one consistent state, with its score, after concurrent changes', async () => {
    const settled = await Promise.allSettled(
      Array.from({ length: 8 }, (_, number) => judge(number % 2 === 0)),
    );

    expect(settled.every(({ status }) => status === 'fulfilled')).toBe(true);
    const isAcknowledged = (await list()).claims[0]?.acknowledgedAt !== null;
    const now = await trustOf();
    await judge(!isAcknowledged);
    await judge(isAcknowledged);
    expect(await trustOf()).toBe(now);
  });
});

describeAtNight('the list of children', () => {
  it('contains only listings of others, filtered by acknowledgement', async () => {
    const { creatorId } = await world.listing(parent.id);
    const creator = { ...parent.creator, id: creatorId };
    const own = await makeListing(world.database, { parentId: parent.id, creator, verified: true });
    await makeListing(world.database, { parentId: child.id });
    await judge(true);

    const ids = async (filter: boolean | null) =>
      (await list(filter)).claims.map(({ record }) => record.agentId);

    expect(await ids(null)).toEqual([child.agentId]);
    expect(await ids(true)).toEqual([child.agentId]);
    expect(await ids(false)).toEqual([]);
    expect(own.agentId).not.toBe(child.agentId);
  });

  it('is paged without gap or repeat', async () => {
    for (let made = 0; made < 4; made += 1) await makeListing(world.database, { parentId: parent.id });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list(null, 2, cursor);
      seen.push(...page.claims.map(({ record }) => record.agentId));
      cursor = page.nextCursor;
    } while (cursor !== null);

    expect(seen).toHaveLength(5);
    expect(seen).toEqual([...new Set(seen)].sort());
  });

  it('refuses a cursor of another list', async () => {
    await expect(list(null, 2, 'W10')).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
