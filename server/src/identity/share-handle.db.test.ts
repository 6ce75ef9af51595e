import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseHandle } from '../accounts/choose-handle.ts';
import { recheckLinkedAccounts } from '../accounts/recheck-linked-accounts.ts';
import { openProofWorld, type ProofWorld } from '../accounts/testing/proof-world.ts';
import { embeddedBackend } from '../scoring/embedded/embedded-backend.ts';
import { createNaming } from '../subjects/naming.ts';
import { makeListing } from '../subjects/testing/registry.factory.ts';
import { shiftClock } from '../testing/clock.ts';
import { getIdentity } from './get-identity.ts';

const naming = createNaming('https://trust.example');
let world: ProofWorld;

beforeEach(async () => {
  world = await openProofWorld();
});
afterEach(() => world.close());

const identityOf = (handle: string) => getIdentity(world.database, handle, naming);
const choose = (accountId: string, handle: string) =>
  chooseHandle(world.database, embeddedBackend, { accountId, handle, lockCredential: async () => undefined });

/** Somebody who has signed in, proved what they are elsewhere and chosen no handle yet. */
async function newcomerAs(handle: string): Promise<string> {
  const accountId = await world.account();
  await world.database.query('UPDATE account SET handle = NULL WHERE id = $1', [accountId]);
  await world.prove(accountId, world.standIn.world.account({ handle, id: '4711' }));
  return accountId;
}

describe('an account that proved a repository owner before it chose a handle', () => {
  it('and chooses that one is that creator, whose id stays', async () => {
    const { id, creator } = await makeListing(world.database, { repository: 'acme/robot' });

    await choose(await newcomerAs('acme'), 'acme');

    expect(await world.listing(id)).toMatchObject({ creatorId: creator.id, verified: true });
    expect(await identityOf('acme')).toMatchObject({ id: creator.id, handle: 'acme' });
  });

  it('and chooses another one is called so everywhere, with all that was listed, marked and scored', async () => {
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

  it('keeps the handle that it changed to later, beside the one that it was found by', async () => {
    const accountId = await newcomerAs('acme');
    await choose(accountId, 'acme');

    await choose(accountId, 'ada');
    await choose(accountId, 'grace');

    for (const name of ['grace', 'ada', 'acme'])
      expect(await identityOf(name)).toMatchObject({ handle: 'grace' });
  });
});

describe('an account whose host calls it otherwise by now', () => {
  it('is called here as its owner chose', async () => {
    const { id } = await makeListing(world.database, { repository: 'acme/robot' });
    const accountId = await newcomerAs('acme');
    await choose(accountId, 'acme');
    const [account] = world.standIn.world.accounts.filter((each) => each.id === '4711');
    if (account) account.handle = 'acme-labs';
    await shiftClock(world.database, '31 days');

    await recheckLinkedAccounts({ database: world.database, hosts: world.hosts, backend: embeddedBackend });

    expect(await world.listing(id)).toMatchObject({ repository: 'acme-labs/robot', verified: true });
    for (const name of ['acme', 'acme-labs']) {
      expect(await identityOf(name)).toMatchObject({ handle: 'acme', verified: true, listingCount: 1 });
    }
  });
});
