import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shiftClock } from '../../../testing/clock.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { openProofWorld, type ProofWorld } from '../../../testing/proofs/proof-world.ts';
import type { StandInAccount } from '../../../testing/stand-ins/stand-in-host-world.ts';
import { type MadeListing, makeListing } from '../../../testing/subjects/registry.factory.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { lapseProofs } from './lapse-proofs.ts';
import { findLink } from './link-account.ts';
import type { LinkedAccount } from './linked-account.queries.ts';
import { recheckLinkedAccounts } from './recheck-linked-accounts.ts';

let world: ProofWorld;
let listing: MadeListing;
let accountId: string;
let host: StandInAccount;
let link: LinkedAccount;

beforeEach(async () => {
  world = await openProofWorld();
  listing = await makeListing(world.database, { repository: 'acme/robot' });
  accountId = await world.account('somebody');
  host = world.standIn.world.account({ handle: 'acme', id: '4711' });
  link = await world.prove(accountId, host);
});
afterEach(() => world.close());

const recheck = () =>
  recheckLinkedAccounts({ database: world.database, backend: embeddedBackend, hosts: world.hosts });
const lapse = () => lapseProofs(world.database, embeddedBackend);
const after = (interval: string) => shiftClock(world.database, interval);
const current = () => findLink(world.database, accountId, link.id);
const marks = async () => {
  const { verified, creatorVerified } = await world.listing(listing.id);
  return { verified, creatorVerified };
};
const BOTH = { verified: true, creatorVerified: true };
const NEITHER = { verified: false, creatorVerified: false };

describe.each(sampleUnlessNightly(['code', 'operator', 'identity_provider'], (by) => by === 'code'))(
  'a proof by %s whose handle belongs to another account by now',
  (provedBy) => {
    let stranger: StandInAccount;
    beforeEach(async () => {
      await world.database.query('UPDATE linked_account SET proved_by = $2 WHERE id = $1', [
        link.id,
        provedBy,
      ]);
      stranger = world.standIn.world.account({ handle: 'acme', id: '9999', profile: host.profile });
    });

    it('follows the proved account to its new handle, and gives it nothing of the stranger’s', async () => {
      host.handle = 'acme-labs';
      await after('31 days');

      await recheck();

      expect(await current()).toMatchObject({
        handle: 'acme-labs',
        hostAccountId: '4711',
        state: 'proved',
        checkFailedAt: null,
      });
      expect(await world.listing(listing.id)).toMatchObject({ repository: 'acme-labs/robot', ...BOTH });
      const own = await makeListing(world.database, { repository: 'acme/other' });
      expect(await world.listing(own.id)).toMatchObject({ verified: false });
      const newcomer = await world.account('newcomer');
      await world.prove(newcomer, stranger);
      expect(await marks()).toEqual(BOTH);
      expect(await current()).toMatchObject({ handle: 'acme-labs', state: 'proved' });
    });

    it('is valid for nobody else if the proved account is gone: the check fails, and the proof lapses', async () => {
      world.standIn.world.accounts.splice(0, world.standIn.world.accounts.length, stranger);
      await after('31 days');

      await recheck();

      expect(await current()).toMatchObject({ handle: 'acme', hostAccountId: '4711' });
      expect(await current()).toMatchObject({ checkFailedAt: expect.any(String), state: 'proved' });
      await after('61 days');
      await recheck();
      await lapse();
      expect(await current()).toMatchObject({ hostAccountId: '4711', state: 'lapsed' });
      expect(await marks()).toEqual(NEITHER);
    });
  },
);
