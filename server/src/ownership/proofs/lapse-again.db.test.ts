import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shiftClock } from '../../../testing/clock.ts';
import { openProofWorld, type ProofWorld } from '../../../testing/proofs/proof-world.ts';
import { type MadeListing, makeListing } from '../../../testing/subjects/registry.factory.ts';
import { embeddedBackend as backend } from '../../scoring/embedded/embedded-backend.ts';
import { lapseProofs } from './lapse-proofs.ts';
import { recheckLinkedAccounts } from './recheck-linked-accounts.ts';

let world: ProofWorld;
let listing: MadeListing;

beforeEach(async () => {
  world = await openProofWorld();
  listing = await makeListing(world.database, { repository: 'acme/robot' });
  world.standIn.world.repository({ name: 'acme/robot' });
});
afterEach(() => world.close());

describe('a proof that has lapsed and is valid again', () => {
  it('lapses again, with all effects', async () => {
    const { database, hosts } = world;
    await world.prove(
      await world.account('somebody'),
      world.standIn.world.account({ handle: 'acme', id: '4711' }),
    );
    const proved = await world.listing(listing.id);
    expect(proved).toMatchObject({ verified: true, creatorVerified: true });

    for (const days of [61, 122, 183]) {
      await shiftClock(database, `${days} days`);
      expect(await lapseProofs(database, backend)).toBe(1);
      expect(await world.listing(listing.id)).toMatchObject({
        ...{ verified: false, creatorVerified: false, creatorId: listing.creator.id },
      });

      expect(await recheckLinkedAccounts({ database, backend, hosts })).toBe(1);
      expect(await world.listing(listing.id)).toEqual(proved);
    }
  });
});
