import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { makeAccount } from '../../testing/factories.ts';
import {
  makeArtifact,
  makeCreator,
  makeListing,
  makeScore,
} from '../../testing/subjects/registry.factory.ts';
import { createPublicUrls } from '../catalog/subjects/public-path.ts';
import type { Database } from '../platform/database/connect.ts';
import { presentIdentity } from './directory.handlers.ts';
import { getIdentity } from './get-identity.ts';

const publicUrls = createPublicUrls('https://trust.example');
let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
});
afterEach(() => test.empty());
afterAll(() => test.close());

async function profile(handle: string) {
  return presentIdentity(await getIdentity(database, handle, publicUrls));
}

describe('getIdentity', () => {
  it('shows no score for a creator without one, and no unproved accounts', async () => {
    await makeCreator(database, { handle: 'Acme' });

    expect(await profile('acme')).toEqual({
      handle: 'Acme',
      displayName: 'Acme',
      trustScore: null,
      confidence: null,
      tier: 'low',
      verifiedAccounts: {},
      attestedAccounts: {},
      agentCount: 0,
      trustEquity: 0,
    });
  });

  it('accepts an @ before the handle, on any host', async () => {
    await makeCreator(database, { handle: 'acme', host: 'gitlab.com' });
    await makeCreator(database, { handle: 'acme', displayName: 'Acme Inc' });

    expect(await profile('@Acme')).toEqual(await profile('acme'));
    expect((await profile('@acme')).displayName).toBe('Acme Inc');
    expect(await profile('gitlab.com:@acme')).toEqual(await profile('gitlab.com:acme'));
    await expect(profile('@@acme')).rejects.toMatchObject({ code: 'not_found' });
  });

  it("shows the creator's own confirmed score, verified or not, and never that of a listing", async () => {
    const creator = await makeCreator(database, { handle: 'acme', displayName: 'Acme Inc' });
    const listing = await makeListing(database, { creator });
    await makeScore(database, listing, { trust: 90, confidence: 90 });
    expect(await profile('acme')).toMatchObject({ trustScore: null });

    await makeScore(database, creator, { trust: 48.5, confidence: 58.6, tier: 'medium' });

    const expected = { displayName: 'Acme Inc', trustScore: 48.5, confidence: 58.6, tier: 'medium' };
    expect(await profile('acme')).toMatchObject(expected);
  });

  it('shows the kinds of proved accounts, without lapsed proofs', async () => {
    const { accountId } = await makeAccount(database);
    await makeCreator(database, { handle: 'acme', accountId });
    await database.query(
      `INSERT INTO linked_account (id, account_id, kind, host, handle, proved_at, proved_by, checked_at, check_due_at)
       SELECT gen_random_uuid(), $1, kind, 'host.example', 'acme', ledger_now(), 'operator',
         ledger_now() - CASE kind WHEN 'python_packages' THEN 61 ELSE 59 END * interval '1 day', ledger_now()
       FROM unnest(ARRAY['repo_host', 'node_packages', 'python_packages', 'professional_network', 'social',
         'messaging']) AS kind`,
      [accountId],
    );

    const { verifiedAccounts } = await profile('acme');

    expect(verifiedAccounts).toEqual({ repoHost: true, nodePackages: true, professionalNetwork: true });
  });

  it('counts agents and skills listed under the creator, not artifacts inside them', async () => {
    const creator = await makeCreator(database, { handle: 'acme' });
    const listing = await makeListing(database, { creator, type: 'agent' });
    await makeListing(database, { creator, type: 'skill' });
    await makeListing(database);
    await makeArtifact(database, listing);

    expect((await profile('acme')).agentCount).toBe(2);
  });

  it('distinguishes hosts', async () => {
    const onGitlab = await makeCreator(database, {
      host: 'gitlab.com',
      handle: 'acme',
      displayName: 'On GitLab',
    });
    await makeCreator(database, { host: 'github.com', handle: 'acme', displayName: 'On GitHub' });

    expect((await profile('acme')).displayName).toBe('On GitHub');
    expect((await profile('gitlab.com:ACME')).displayName).toBe('On GitLab');
    expect((await getIdentity(database, 'gitlab.com:acme', publicUrls)).publicPath).toBe(
      '/c/gitlab.com:acme',
    );
    expect(onGitlab.id).toBe((await getIdentity(database, 'gitlab.com:acme', publicUrls)).id);
  });

  it.each(['nobody', 'acme inc', 'github.com:nobody', 'acme/robot', 'npm:acme'])(
    'knows no creator with the handle %s',
    async (handle) => {
      await makeCreator(database, { handle: 'acme', displayName: 'Acme Inc' });
      await makeListing(database, { repository: 'acme/robot' });

      await expect(getIdentity(database, handle, publicUrls)).rejects.toMatchObject({ code: 'not_found' });
    },
  );

  it('does not accept a creator id as handle', async () => {
    const creator = await makeCreator(database);

    await expect(getIdentity(database, creator.id, publicUrls)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('asks for the host if two unlisted hosts have the handle', async () => {
    await makeCreator(database, { host: 'gitee.com', handle: 'acme' });
    await makeCreator(database, { host: 'git.example.org', handle: 'acme' });

    const refusal = getIdentity(database, 'acme', publicUrls);

    await expect(refusal).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('host:acme'),
    });
    expect((await profile('gitee.com:acme')).handle).toBe('gitee.com:acme');
  });
});

describe('trust equity', () => {
  it('counts each scored listing of others once, by its distance from the nearest own listing', async () => {
    const creator = await makeCreator(database, { handle: 'acme' });
    const own = await makeListing(database, { creator });
    const foreign = await makeListing(database, { parentId: own.id });
    const ownAgain = await makeListing(database, { creator, parentId: foreign.id });
    const nearest = await makeListing(database, { parentId: ownAgain.id });
    await makeListing(database, { parentId: own.id });
    for (const listing of [own, foreign, ownAgain, nearest])
      await makeScore(database, listing, { trust: 50, confidence: 50 });

    // Two listings of other creators at a distance of 1: 100 * ln(1 + 2 * 0.85 * 0.5) / ln(1 + 50).
    expect((await profile('acme')).trustEquity).toBe(15.6);
  });

  it('is 0 if only the creator builds on their own work', async () => {
    const creator = await makeCreator(database, { handle: 'acme' });
    const own = await makeListing(database, { creator });
    const child = await makeListing(database, { creator, parentId: own.id });
    await makeScore(database, child, { trust: 50, confidence: 50 });

    expect((await profile('acme')).trustEquity).toBe(0);
  });
});
