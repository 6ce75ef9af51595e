import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeAccount } from '../../../testing/factories.ts';
import { makeListing, makeScore } from '../../../testing/subjects/registry.factory.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { resolveSubject } from '../../catalog/subjects/resolve-subject.ts';
import type { Database } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { presentAgent } from '../agents/agent.presenter.ts';
import { getAgent, getAgentLineage } from '../agents/get-agent.ts';
import { getIdentity } from '../get-identity.ts';
import { type Registration, registerAgent } from './register-agent.ts';

const publicUrls = createPublicUrls('https://trust.example');
let test: TestDatabase;
let database: Database;
let accountId: string;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
});
beforeEach(async () => {
  ({ accountId } = await makeAccount(database, { handle: 'Acme-Labs' }));
});
afterEach(() => test.empty());
afterAll(() => test.close());

function register(changes: Partial<Registration> = {}) {
  return registerAgent(database, {
    repoHostUrl: 'https://github.com/Acme/Robot',
    name: 'Robot',
    description: 'Draws maps.',
    category: 'coding',
    tags: ['maps'],
    type: 'agent',
    parentId: null,
    accountId,
    allowedHosts: publicUrls.hosts,
    backend: embeddedBackend,
    publicUrls,
    lockCredential: async () => undefined,
    ...changes,
  });
}

async function countRows(): Promise<Record<string, number>> {
  const tables = ['subject', 'listing', 'creator', 'subject_alias', 'score', 'relation'];
  const counts = await Promise.all(
    tables.map((table) => database.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)),
  );
  return Object.fromEntries(tables.map((table, index) => [table, counts[index]?.[0]?.n ?? -1]));
}

describe('registerAgent', () => {
  it('lists the repository unverified under the account’s handle, with an immediate score', async () => {
    const { id, listingUrl } = await register();

    expect(id).toMatch(/^AGT-[0-9A-HJKMNP-TV-Z]{8}$/);
    expect(listingUrl).toBe('https://trust.example/Acme/Robot');
    const record = await getAgent(database, id);
    expect(presentAgent(record, new Map())).toMatchObject({
      type: 'agent',
      name: 'Robot',
      description: 'Draws maps.',
      category: 'coding',
      tags: ['maps'],
      creator: { handle: 'Acme-Labs', verified: false, trustScore: null },
      repoHost: null,
      repositoryUrl: 'https://github.com/Acme/Robot',
      verified: false,
      trustScore: expect.any(Number),
      confidence: expect.any(Number),
    });
  });

  it('scores its creator too, and the profile shows it immediately', async () => {
    await register();

    const creator = await getIdentity(database, 'directory:acme-labs', publicUrls);

    expect(creator).toMatchObject({ trust: expect.any(Number), confidence: expect.any(Number) });
    expect(await database.query('SELECT * FROM score_due')).toEqual([]);
  });

  it('resolves by all of its names, with the registration as source', async () => {
    const { id } = await register();

    for (const text of [
      id,
      'acme/robot',
      'git@github.com:acme/robot.git',
      'https://trust.example/acme/robot',
    ]) {
      expect(await resolveSubject(database, 'agent', text, publicUrls)).toMatchObject({
        agentId: id,
        source: 'registration',
      });
    }
    expect(await resolveSubject(database, 'creator', 'directory:acme-labs', publicUrls)).toMatchObject({
      name: 'Acme-Labs',
    });
  });

  it.each(['https://www.github.com/acme/ROBOT.git', 'https://github.com/acme/robot/'])(
    'refuses the same repository spelled %s, and names the listing',
    async (repoHostUrl) => {
      const { id } = await register();
      const before = await countRows();

      const refusal = register({ repoHostUrl });

      await expect(refusal).rejects.toMatchObject({
        code: 'already_registered',
        status: 409,
        message: expect.stringContaining(id),
      });
      expect(await countRows()).toEqual(before);
    },
  );

  it('refuses a repository that an import has listed', async () => {
    const listing = await makeListing(database, { repository: 'acme/robot' });

    await expect(register()).rejects.toMatchObject({
      message: `github.com/Acme/Robot is already registered as ${listing.agentId}.`,
    });
  });

  it('accepts one of two concurrent registrations of the same repository', async () => {
    const outcomes = await Promise.allSettled([register(), register(), register()]);

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'already_registered' });
    }
    expect(await countRows()).toMatchObject({ listing: 1, creator: 1 });
  });

  it('creates one creator for an account that registers several repositories concurrently', async () => {
    const urls = ['one', 'two', 'three'].map((name) => `https://github.com/acme/${name}`);

    await Promise.all(urls.map((repoHostUrl) => register({ repoHostUrl })));

    expect(await countRows()).toMatchObject({ listing: 3, creator: 1, subject: 4 });
  });

  it('lists a repository of the same name on another host, with its page by id', async () => {
    await register();

    const second = await register({ repoHostUrl: 'https://gitlab.com/Acme/Robot' });

    expect(second.listingUrl).toBe(`https://trust.example/a/id/${second.id}`);
  });

  it('returns the page as listing URL for an owner named like a reserved path', async () => {
    const { listingUrl } = await register({ repoHostUrl: 'https://github.com/api/agents', type: 'skill' });

    expect(listingUrl).toBe('https://trust.example/s/api/agents');
  });

  it('stores a parent as a claim that passes on half of the trust', async () => {
    const parent = await makeListing(database);
    await makeScore(database, parent, { trust: 90, confidence: 90, ownTrust: 86.8, ownConfidence: 83 });

    const { id } = await register({ parentId: parent.agentId });

    const { ancestors, rootEdge } = await getAgentLineage(database, id);
    expect(ancestors.map(({ record }) => record.agentId)).toEqual([parent.agentId]);
    expect(rootEdge).toMatchObject({ relation: 'based_on', acknowledged: false, trustEquityFlow: 30.6 });
  });

  it('refuses an unknown parent', async () => {
    await expect(register({ parentId: 'AGT-ZZZZZZZZ' })).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'parentId must be the id of a listed agent or skill.',
    });
  });

  it('refuses a URL on a host that is not allowed', async () => {
    await expect(register({ repoHostUrl: 'https://example.com/a/b' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it.each([{ name: 'a\ud800' }, { description: '\udc00' }, { tags: ['x\ud800y'] }])(
    'refuses a lone surrogate, which cannot be stored: %j',
    async (texts) => {
      await expect(register(texts)).rejects.toMatchObject({ code: 'invalid_request' });
    },
  );

  it('stores nothing if the credential has expired', async () => {
    const before = await countRows();
    const lockCredential = async () => {
      throw new DomainError('unauthorized', 'The access key was revoked.');
    };

    await expect(register({ lockCredential })).rejects.toMatchObject({ code: 'unauthorized' });

    expect(await countRows()).toEqual(before);
  });

  it('stores nothing if scoring fails', async () => {
    const before = await countRows();
    const backend = { source: 'embedded', score: () => Promise.reject(new Error('broken')) };

    await expect(register({ backend })).rejects.toThrow('broken');

    expect(await countRows()).toEqual(before);
  });

  it('has no score until a remote backend confirms one, and does not call it', async () => {
    const backend = { source: 'scores.example', score: () => Promise.reject(new Error('asked')) };

    const { id } = await register({ backend });

    expect(await getAgent(database, id)).toMatchObject({ trust: null, confidence: null, tier: 'low' });
  });
});
