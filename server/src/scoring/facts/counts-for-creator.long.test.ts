import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openProofWorld, type ProofWorld } from '../../../testing/proofs/proof-world.ts';
import { type MadeListing, makeCreator, makeListing } from '../../../testing/subjects/registry.factory.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { getAgentLineage } from '../../directory/agents/get-agent.ts';
import { getIdentity } from '../../directory/get-identity.ts';
import { acknowledgeChild, listChildClaims } from '../../directory/own-agents/child-claims.ts';
import { registerAgent } from '../../directory/own-agents/register-agent.ts';
import { scoreSubjects } from '../batches/score-subjects.ts';
import { embeddedBackend } from '../embedded/embedded-backend.ts';
import { loadCreatorEdges } from './creator-equity.queries.ts';
import { CREATOR_FACTS } from './creator-facts.queries.ts';

const publicUrls = createPublicUrls('https://trust.example');
let world: ProofWorld;
let registrant: string;

beforeAll(async () => {
  world = await openProofWorld();
});
beforeEach(async () => {
  registrant = await world.account('registrant');
});
afterEach(() => world.empty());
afterAll(() => world.close());

async function register(repository: string, parentId: string | null = null): Promise<string> {
  const { id } = await registerAgent(world.database, {
    repoHostUrl: `https://github.com/${repository}`,
    name: repository,
    description: 'Draws maps.',
    category: 'coding',
    tags: ['maps'],
    type: null,
    parentId,
    accountId: registrant,
    allowedHosts: publicUrls.hosts,
    hosts: world.hosts,
    backend: embeddedBackend,
    publicUrls,
    lockCredential: async () => undefined,
  });
  return id;
}

const proveOwner = (handle: string) => world.prove(registrant, world.standIn.world.account({ handle }));
const acknowledge = (childAgentId: string) =>
  acknowledgeChild(world.database, {
    accountId: registrant,
    childAgentId,
    acknowledged: true,
    backend: embeddedBackend,
    lockCredential: async () => undefined,
  });
async function creatorOf(agentId: string): Promise<string> {
  const [row] = await world.database.query<{ id: string }>(
    'SELECT creator_id AS id FROM listing WHERE agent_id = $1',
    [agentId],
  );
  return row?.id ?? '';
}
async function portfolioOf(creatorId: string) {
  const facts = (await CREATOR_FACTS.load(world.database, [creatorId])).get(creatorId)?.facts;
  return facts && 'portfolio' in facts ? facts.portfolio : undefined;
}
const flowTo = async (agentId: string) =>
  (await getAgentLineage(world.database, agentId)).rootEdge.trustEquityFlow;

describe('a repository that an account has only registered', () => {
  it('adds nothing to its portfolio until the account has proved the owner', async () => {
    const agentId = await register('famous-labs/robot');
    const creatorId = await creatorOf(agentId);

    expect(await portfolioOf(creatorId)).toBeNull();

    await proveOwner('famous-labs');
    expect(await portfolioOf(await creatorOf(agentId))).toMatchObject({ listings: 1 });
  });

  it('passes half of its trust on to a child of the same account, and all of it after the proof', async () => {
    const parent = await register('famous-labs/robot');
    const child = await register('famous-labs/copy', parent);
    const edge = async () => (await getAgentLineage(world.database, child)).rootEdge;
    const before = await edge();

    await proveOwner('famous-labs');

    expect(before).toMatchObject({ acknowledged: false });
    expect(before.trustEquityFlow).toBeGreaterThan(0);
    expect(await edge()).toMatchObject({ acknowledged: true });
  });

  it('lets the account acknowledge no child, though another account of it is proved', async () => {
    const parent = await register('famous-labs/robot');
    await proveOwner('strange-labs');
    const child = await register('strange-labs/copy', parent);

    await expect(acknowledge(child)).rejects.toMatchObject({ code: 'not_found' });
    const foreign = await makeListing(world.database, { parentId: await subjectOf(parent) });
    await expect(acknowledge(foreign.agentId)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('keeps no acknowledgement that its account gave before: the child inherits half', async () => {
    const parent = await register('famous-labs/robot');
    const parentId = await subjectOf(parent);
    const claimed = await makeListing(world.database, { parentId });
    const acknowledged = await makeListing(world.database, { parentId, acknowledged: true });

    expect(await flowTo(acknowledged.agentId)).toBe(await flowTo(claimed.agentId));
    const { claims } = await listChildClaims(world.database, registrant, {
      ...{ acknowledged: null, limit: 9, cursor: null },
    });
    expect(new Set(claims.map(({ trustEquityFlow }) => trustEquityFlow)).size).toBe(1);
  });

  it('adds no edge to the creator graph, and no equity in what others built', async () => {
    const parent = await register('famous-labs/robot');
    const child = await makeListing(world.database, { parentId: await subjectOf(parent), license: 'MIT' });
    await scoreSubjects(world.database, embeddedBackend, [child.id]);

    expect(await loadCreatorEdges(world.database)).toEqual([]);
    expect(await equityOf()).toBe(0);

    await proveOwner('famous-labs');
    expect(await loadCreatorEdges(world.database)).toMatchObject([{ to: await creatorOf(parent), count: 1 }]);
    expect(await equityOf()).toBeGreaterThan(0);
  });

  it('can be acknowledged as a child by the account where that has proved the owner of the parent', async () => {
    await proveOwner('strange-labs');
    const parent = await register('strange-labs/robot');
    const child = await register('famous-labs/copy', parent);
    const half = await flowTo(child);

    await acknowledge(child);

    expect(await flowTo(child)).toBeGreaterThan(half * 1.9);
  });
});

describe('an imported listing of an owner without an account', () => {
  it.each([
    ['as the source names the owner', {}],
    ['whatever the case of the name', { repository: 'ACME/robot' }],
    ['whose handle has passed to another account', { handle: 'acme~77' }],
  ])('counts for its creator, %s', async (_case, input) => {
    const one = await makeScored(input);

    expect(await portfolioOf(one.creator.id)).toMatchObject({ listings: 1 });
  });

  it.each([
    ['a repository of another owner', { repository: 'somebody/robot' }],
    ['the same name on another host', { host: 'gitlab.com' }],
  ])('does not count where it is %s', async (_case, input) => {
    const one = await makeScored(input);

    expect(await portfolioOf(one.creator.id)).toBeNull();
  });

  it('takes a child of the same creator in full', async () => {
    const parent = await makeScored({});
    const child = await makeListing(world.database, { parentId: parent.id, creator: parent.creator });
    const claimed = await makeListing(world.database, { parentId: parent.id });

    expect(await flowTo(child.agentId)).toBeGreaterThan((await flowTo(claimed.agentId)) * 1.9);
  });
});

async function makeScored(input: {
  repository?: string;
  host?: string;
  handle?: string;
}): Promise<MadeListing> {
  const { repository = 'acme/robot', host = 'github.com', handle = 'acme' } = input;
  const creator = await makeCreator(world.database, { handle });
  const made = await makeListing(world.database, { repository, host, creator, license: 'MIT', stars: 90 });
  await scoreSubjects(world.database, embeddedBackend, [made.id]);
  return made;
}

async function subjectOf(agentId: string): Promise<string> {
  const [row] = await world.database.query<{ id: string }>(
    'SELECT subject_id AS id FROM listing WHERE agent_id = $1',
    [agentId],
  );
  return row?.id ?? '';
}

const equityOf = async () => (await getIdentity(world.database, 'registrant', publicUrls)).trustEquity;
