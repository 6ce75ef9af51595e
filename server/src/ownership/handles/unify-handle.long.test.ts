import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { shiftClock } from '../../../testing/clock.ts';
import { server } from '../../../testing/import/rows.ts';
import { saveRows } from '../../../testing/import/save-rows.ts';
import { openProofWorld, type ProofWorld } from '../../../testing/proofs/proof-world.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import { lockRegistry } from '../../catalog/registry-locks.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { getIdentity } from '../../directory/get-identity.ts';
import { listAgents } from '../../directory/lists/list-agents.ts';
import { parseRow } from '../../intake/import/parse-row.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { recheckLinkedAccounts } from '../proofs/recheck-linked-accounts.ts';
import { chooseHandle } from './choose-handle.ts';

const publicUrls = createPublicUrls('https://trust.example');
let world: ProofWorld;

beforeEach(async () => {
  world = await openProofWorld();
});
afterEach(() => world.close());

const identityOf = (handle: string) => getIdentity(world.database, handle, publicUrls);
const choose = (accountId: string, handle: string) =>
  chooseHandle(world.database, embeddedBackend, {
    accountId,
    handle,
    lockRecentSignIn: async () => undefined,
  });

const ALL = {
  verified: null,
  tier: null,
  category: null,
  sort: 'name',
  limit: 10,
  offset: 0,
  cursor: null,
} as const;

/** Returns those of the search terms that find the directory's listings. */
async function foundBy(...words: string[]): Promise<string[]> {
  const found = await Promise.all(
    words.map(async (q) => ((await listAgents(world.database, { ...ALL, q })).total > 0 ? [q] : [])),
  );
  return found.flat();
}

/** Renames the account on its host and runs the next check of its proof. */
async function renameOnHost(handle: string): Promise<void> {
  const [account] = world.standIn.world.accounts.filter((each) => each.id === '4711');
  if (account) account.handle = handle;
  await shiftClock(world.database, '31 days');
  await recheckLinkedAccounts({ database: world.database, hosts: world.hosts, backend: embeddedBackend });
}

/** Creates a person who has signed in and proved a host account, but has not chosen a handle. */
async function newcomerAs(handle: string): Promise<string> {
  const accountId = await world.account();
  await world.database.query('UPDATE account SET handle = NULL WHERE id = $1', [accountId]);
  await world.prove(accountId, world.standIn.world.account({ handle, id: '4711' }));
  return accountId;
}

describe('an account that proved a repository owner before it chose a handle', () => {
  itAtNight('and chooses that one is that creator, whose id stays', async () => {
    const { id, creator } = await makeListing(world.database, { repository: 'acme/robot' });

    await choose(await newcomerAs('acme'), 'acme');

    expect(await world.listing(id)).toMatchObject({ creatorId: creator.id, verified: true });
    expect(await identityOf('acme')).toMatchObject({ id: creator.id, handle: 'acme' });
  });

  it('and chooses another one has that one everywhere, with all listings, marks and scores', async () => {
    const { id } = await makeListing(world.database, { repository: 'acme/robot' });
    const child = await makeListing(world.database, { parentId: id });
    const accountId = await newcomerAs('acme');
    await world.database.query(
      'UPDATE listing SET parent_acknowledged_at = ledger_now() WHERE subject_id = $1',
      [child.id],
    );

    await choose(accountId, 'ada');

    for (const name of ['ada', 'acme', 'github.com:acme']) {
      const found = await identityOf(name);
      expect(found).toMatchObject({ handle: 'ada', publicPath: '/c/ada', listingCount: 1 });
      expect(found).toMatchObject({ verified: true, trust: expect.any(Number) });
    }
    expect(await world.listing(id)).toMatchObject({ verified: true, creatorVerified: true });
    const [kept] = await world.database.query(
      'SELECT parent_acknowledged_at IS NOT NULL AS acknowledged FROM listing WHERE subject_id = $1',
      [child.id],
    );
    expect(kept).toEqual({ acknowledged: true });
  });

  it('keeps the handle that it changed to later, and the one that it was found by', async () => {
    const accountId = await newcomerAs('acme');
    await choose(accountId, 'acme');

    await choose(accountId, 'ada');
    await choose(accountId, 'grace');

    for (const name of ['grace', 'ada', 'acme'])
      expect(await identityOf(name)).toMatchObject({ handle: 'grace' });
  });
});

describe('an account that was renamed on its host', () => {
  it('has the handle here that its owner chose', async () => {
    const { id } = await makeListing(world.database, { repository: 'acme/robot' });
    const accountId = await newcomerAs('acme');
    await choose(accountId, 'acme');

    await renameOnHost('acme-labs');

    expect(await world.listing(id)).toMatchObject({ repository: 'acme-labs/robot', verified: true });
    for (const name of ['acme', 'acme-labs']) {
      expect(await identityOf(name)).toMatchObject({ handle: 'acme', verified: true, listingCount: 1 });
    }
  });
});

itAtNight(
  'an account that was renamed on its host loses the packages that the MCP registry proves for its old name',
  async () => {
    const { id } = await makeListing(world.database, { repository: 'acme/robot' });
    const accountId = await newcomerAs('acme');
    await choose(accountId, 'acme');
    const entry = parseRow(JSON.stringify(server('io.github.acme/robot', 'acme/robot', [['npm', 'robot']])));
    if ('reason' in entry) throw new Error(entry.reason);
    await inTransaction(world.database, async (connection) => {
      await lockRegistry(connection);
      await saveRows(connection, [entry]);
    });
    const packageOf = () =>
      world.database.query(
        `SELECT npm_package AS npm, npm_confirmed AS "isConfirmed" FROM listing WHERE subject_id = $1`,
        [id],
      );
    expect(await packageOf()).toEqual([{ npm: 'robot', isConfirmed: true }]);

    await renameOnHost('acme-labs');

    expect(await packageOf()).toEqual([{ npm: null, isConfirmed: false }]);
  },
);

describe('the listings of an account that was proved', () => {
  beforeEach(async () => {
    await makeListing(world.database, { repository: 'acme/robot', name: 'robot' });
    expect(await foundBy('acme')).toEqual(['acme']);
  });

  itAtNight(
    'are found by a search under each handle that it chooses, and no longer under the one before',
    async () => {
      const accountId = await newcomerAs('acme');

      await choose(accountId, 'ada');
      expect(await foundBy('robot', 'ada', 'acme')).toEqual(['robot', 'ada']);

      await choose(accountId, 'grace');
      expect(await foundBy('robot', 'ada', 'grace')).toEqual(['robot', 'grace']);
    },
  );

  itAtNight('are found under the handle that it chose before it proved the owner', async () => {
    const accountId = await world.account('ada');

    await world.prove(accountId, world.standIn.world.account({ handle: 'acme', id: '4711' }));

    expect(await foundBy('robot', 'ada', 'acme')).toEqual(['robot', 'ada']);
  });

  itAtNight(
    'are found under the current handle on the host until a handle is chosen, and under that one afterwards',
    async () => {
      const accountId = await newcomerAs('acme');

      await renameOnHost('initech');
      expect(await foundBy('robot', 'initech', 'acme')).toEqual(['robot', 'initech']);

      await choose(accountId, 'ada');
      expect(await foundBy('robot', 'ada', 'initech')).toEqual(['robot', 'ada']);
    },
  );

  it('are found under the handle that its owner chose, not under the current one on the host', async () => {
    const accountId = await newcomerAs('acme');
    await choose(accountId, 'acme');

    await renameOnHost('initech');

    expect(await foundBy('robot', 'initech', 'acme')).toEqual(['robot', 'acme']);
  });
});
