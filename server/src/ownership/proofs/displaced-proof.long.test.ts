import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { shiftClock } from '../../../testing/clock.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { openFilledWorld, type ProofWorld } from '../../../testing/proofs/proof-world.ts';
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
let link: LinkedAccount;
let creatorId: string;
/** Renamed host account, whose proof was displaced. `newcomer` is the host account that took its old handle. */
let host: StandInAccount;
let newcomer: StandInAccount;

beforeEach(async () => {
  const { world: filled, made } = await openFilledWorld('a newcomer displaced somebody', displaceProof);
  world = filled;
  ({ listing, accountId, link, creatorId } = made);
  [host, newcomer] = world.standIn.world.accounts as [StandInAccount, StandInAccount];
});
afterEach(() => world.close());

async function displaceProof({ account, database, listing: read, prove, standIn }: ProofWorld) {
  const robot = await makeListing(database, { repository: 'acme/robot' });
  const owner = await account('somebody');
  const former = standIn.world.account({ handle: 'acme', id: '4711' });
  const proof = await prove(owner, former);
  const proved = await read(robot.id);
  former.handle = 'acme-labs';
  const current = standIn.world.account({ handle: 'acme', id: '9999' });
  await prove(await account('newcomer'), current);
  return { listing: robot, accountId: owner, link: proof, creatorId: proved.creatorId };
}

const recheck = () =>
  recheckLinkedAccounts({ database: world.database, backend: embeddedBackend, hosts: world.hosts });
const lapse = () => lapseProofs(world.database, embeddedBackend);
const after = (interval: string) => shiftClock(world.database, interval);
const current = () => findLink(world.database, accountId, link.id);
const lapses = () =>
  world.database.query('SELECT handle, lapsed_at FROM linked_account WHERE lapsed_at IS NOT NULL');
const BOTH = { verified: true, creatorVerified: true };
const NEITHER = { verified: false, creatorVerified: false };

describe('a proof whose handle another account of the host has proved', () => {
  it.each(
    sampleUnlessNightly(
      [
        ['account', () => void world.standIn.world.accounts.splice(0, 1)],
        ['code', () => void Object.assign(host, { profile: 'nothing here' })],
      ],
      ([what]) => what === 'code',
    ),
  )('lapses once where its host no longer shows the %s, and its listings return', async (_what, lose) => {
    expect(await world.listing(listing.id)).toMatchObject({ creatorId, ...NEITHER });
    lose();

    expect(await recheck()).toBe(1);

    expect(await world.listing(listing.id)).toMatchObject({ creatorId: listing.creator.id, ...NEITHER });
    const first = await lapses();
    expect(first).toHaveLength(1);
    await after('6 hours 1 minute');
    expect(await recheck()).toBe(1);
    expect(await lapses()).toEqual(first);
  });

  it('keeps its listings, unverified, while its host is down, and lapses after 60 days of it', async () => {
    for (const days of [0, 30, 59]) {
      await after(`${days} days 1 hour`);
      await world.database.query(
        "UPDATE linked_account SET check_due_at = ledger_now() + interval '90 days' WHERE id <> $1",
        [link.id],
      );
      world.standIn.trouble({ kind: 'answer', status: 500 });
      expect(await recheck()).toBe(1);
      await lapse();
      expect(await world.listing(listing.id)).toMatchObject({ creatorId, ...NEITHER });
    }
    await after('61 days');
    await lapse();

    expect(await world.listing(listing.id)).toMatchObject({ creatorId: listing.creator.id, ...NEITHER });
  });

  it('counts again, with its listings, once its host shows account and code, also under the former handle', async () => {
    host.profile = '';
    await recheck();
    expect((await world.listing(listing.id)).creatorId).toBe(listing.creator.id);
    Object.assign(newcomer, { handle: 'acme-2', profile: '' });
    Object.assign(host, { handle: 'acme', profile: link.code });

    await after('6 hours 1 minute');
    await recheck();

    expect(await current()).toMatchObject({ handle: 'acme', state: 'proved', checkFailedAt: null });
    expect(await world.listing(listing.id)).toMatchObject({ repository: 'acme/robot', creatorId, ...BOTH });
  });

  itAtNight('stays as it is where the other proof fails, which lapses after 60 days like any', async () => {
    await recheck();
    newcomer.profile = '';

    await after('61 days');
    await recheck();
    await lapse();

    expect(await lapses()).toEqual([{ handle: 'acme', lapsed_at: expect.any(Date) }]);
    expect(await world.listing(listing.id)).toMatchObject({ creatorId, ...BOTH });
  });
});
