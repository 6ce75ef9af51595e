import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { shiftClock } from '../../../testing/clock.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { openFilledWorld, type ProofWorld } from '../../../testing/proofs/proof-world.ts';
import type { StandInAccount } from '../../../testing/stand-ins/stand-in-host-world.ts';
import { type MadeListing, makeListing } from '../../../testing/subjects/registry.factory.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { resolveSubject } from '../../catalog/subjects/resolve-subject.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { lapseProofs } from './lapse-proofs.ts';
import { findLink, removeLinkedAccount } from './link-account.ts';
import type { LinkedAccount } from './linked-account.queries.ts';
import { recheckLinkedAccounts } from './recheck-linked-accounts.ts';

const publicUrls = createPublicUrls('https://trust.example');
let world: ProofWorld;
let listing: MadeListing;
let accountId: string;
let host: StandInAccount;
let link: LinkedAccount;
let creatorId: string;

beforeEach(async () => {
  const { world: filled, made } = await openFilledWorld('somebody proved acme', proveAcme);
  world = filled;
  ({ listing, accountId, link, creatorId } = made);
  host = world.standIn.world.accounts[0] as StandInAccount;
});
afterEach(() => world.close());

async function proveAcme(filled: ProofWorld) {
  const robot = await makeListing(filled.database, { repository: 'acme/robot' });
  const owner = await filled.account('somebody');
  const acme = filled.standIn.world.account({ handle: 'acme', id: '4711' });
  const proof = await filled.prove(owner, acme);
  const { creatorId: proved } = await filled.listing(robot.id);
  return { listing: robot, accountId: owner, link: proof, creatorId: proved };
}

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

describe('the check of a proof', () => {
  it('is due after 30 days, not before', async () => {
    await after('29 days 23 hours');
    expect(await recheck()).toBe(0);

    await after('30 days 1 minute');
    expect(await recheck()).toBe(1);
    expect(await recheck()).toBe(0);

    expect(Date.parse((await current())?.checkedAt ?? '')).toBeGreaterThan(Date.now() + 29 * 86_400_000);
  });

  it.each(
    sampleUnlessNightly(
      [
        ['the code was taken down', () => void Object.assign(host, { profile: 'nothing here' })],
        ['the account is gone', () => void world.standIn.world.accounts.splice(0)],
        ['the host is down', () => world.standIn.trouble({ kind: 'hang_up' })],
      ],
      ([what]) => what === 'the code was taken down',
    ),
  )('where %s is noted as failed, counts on until 60 days, and is tried again', async (_name, trouble) => {
    await after('31 days');
    trouble();

    expect(await recheck()).toBe(1);

    expect(await current()).toMatchObject({ state: 'proved', checkFailedAt: expect.any(String) });
    expect(await marks()).toEqual(BOTH);
    expect(await recheck()).toBe(0);
    await after('31 days 6 hours 1 minute');
    expect(await recheck()).toBe(1);
  });

  itAtNight('that succeeds again forgets the failure', async () => {
    await after('31 days');
    world.standIn.trouble({ kind: 'answer', status: 500 });
    await recheck();

    await after('32 days');
    await recheck();

    expect(await current()).toMatchObject({ state: 'proved', checkFailedAt: null });
  });

  it('is made by one process at a time, and by another if that one dies', async () => {
    await after('31 days');
    const claimed = await Promise.all([recheck(), recheck(), recheck()]);
    expect(claimed.sort()).toEqual([0, 0, 1]);

    await after('62 days');
    let hanging = Promise.resolve(0);
    await new Promise<void>((asked) => {
      world.standIn.onRequest(() => {
        asked();
        return new Promise<void>(() => undefined);
      });
      hanging = recheck();
    });
    await after('62 days 4 minutes');
    expect(await recheck()).toBe(0);
    world.standIn.onRequest(null);
    await after('62 days 6 minutes');
    expect(await recheck()).toBe(1);
    await hanging;
  });

  it('never mistakes another account under the same handle for the proved one', async () => {
    await world.standIn.world.accounts.splice(0);
    world.standIn.world.account({ handle: 'acme', id: '9999', profile: host.profile });
    await after('31 days');

    await recheck();

    expect(await current()).toMatchObject({ hostAccountId: '4711', checkFailedAt: expect.any(String) });
  });
});

describe('the proof of an organisation', () => {
  const codePlace = async () => (await current())?.codePlace;
  beforeEach(async () => {
    Object.assign(host, { isOrganisation: true, profile: '' });
    world.standIn.world.repository({
      name: 'acme/trust-directory',
      files: { 'trust-directory.txt': link.code ?? '' },
    });
  });

  it.each(
    sampleUnlessNightly(
      [
        ['before it was noted where a code stood', null],
        ['while the account was a person’s', 'repository'],
        ['of its website', 'domain'],
        ['of a package', 'package'],
      ],
      ([, place]) => place === 'repository',
    ),
  )('that was made by a file %s lapses at its next check', async (_name, place) => {
    await world.database.query('UPDATE linked_account SET code_place = $1', [place]);
    await after('31 days');

    expect(await recheck()).toBe(1);

    expect(await current()).toMatchObject({ state: 'lapsed', checkFailedAt: expect.any(String) });
    expect(await marks()).toEqual(NEITHER);
    expect((await world.listing(listing.id)).creatorId).toBe(listing.creator.id);
  });

  itAtNight('that has lapsed this way is valid again after an owner has published the code', async () => {
    await world.database.query('UPDATE linked_account SET code_place = NULL');
    await after('31 days');
    await recheck();
    host.profile = link.code ?? '';

    await after('31 days 6 hours 1 minute');
    await recheck();

    expect(await current()).toMatchObject({ state: 'proved', codePlace: 'profile' });
    expect(await marks()).toEqual(BOTH);
    expect((await world.listing(listing.id)).creatorId).toBe(creatorId);
  });

  itAtNight('that was made by a DNS record stays valid, and has the usual time if DNS fails', async () => {
    host.website = 'https://acme.example';
    world.textRecords.set('_trust-directory.acme.example', link.code ?? '');
    await world.database.query("UPDATE linked_account SET code_place = 'domain'");
    await after('31 days');
    await recheck();
    expect(await current()).toMatchObject({ state: 'proved', codePlace: 'dns_record', checkFailedAt: null });

    world.textRecords.clear();
    await after('62 days');
    await recheck();

    expect(await current()).toMatchObject({ state: 'proved', checkFailedAt: expect.any(String) });
    expect(await marks()).toEqual(BOTH);
  });

  itAtNight(
    'whose code was in a place of its owners has the usual time after the code is removed',
    async () => {
      expect(await codePlace()).toBe('profile');
      await after('31 days');

      await recheck();

      expect(await current()).toMatchObject({ state: 'proved', checkFailedAt: expect.any(String) });
      expect(await marks()).toEqual(BOTH);
    },
  );

  it('that was removed during the request to the host stays removed', async () => {
    await world.database.query('UPDATE linked_account SET code_place = NULL');
    await after('31 days');
    world.standIn.onRequest(async () => {
      world.standIn.onRequest(null);
      await world.database.query(
        'UPDATE linked_account SET removed_at = ledger_now(), check_due_at = NULL WHERE id = $1',
        [link.id],
      );
    });

    await recheck();

    const [row] = await world.database.query('SELECT lapsed_at AS at FROM linked_account');
    expect(row).toEqual({ at: null });
  });
});

describe('an account that its host renamed', () => {
  it('is followed, with its creator and its repositories; the old names still lead to them', async () => {
    host.handle = 'acme-labs';
    await after('31 days');

    await recheck();

    expect(await current()).toMatchObject({ handle: 'acme-labs', state: 'proved' });
    expect(await world.listing(listing.id)).toMatchObject({ repository: 'acme-labs/robot', ...BOTH });
    for (const name of ['acme-labs/robot', 'acme/robot'])
      expect((await resolveSubject(world.database, 'skill', name, publicUrls)).id).toBe(listing.id);
    for (const name of ['@acme-labs', '@acme', '@somebody'])
      expect((await resolveSubject(world.database, 'creator', name, publicUrls)).id).toBe(creatorId);
  });

  itAtNight('takes over the creator that its new handle has in the registry', async () => {
    const other = await makeListing(world.database, { repository: 'acme-labs/tool' });
    host.handle = 'acme-labs';
    await after('31 days');

    await recheck();

    expect(await world.listing(other.id)).toMatchObject({ creatorId, ...BOTH });
    const creator = await resolveSubject(world.database, 'creator', '@acme-labs', publicUrls);
    expect(creator.id).toBe(creatorId);
  });

  it('is valid again when it is found, even if another account has proved its old handle', async () => {
    host.handle = 'acme-labs';
    await world.prove(await world.account('newcomer'), world.standIn.world.account({ handle: 'acme' }));
    expect(await marks()).toEqual(NEITHER);
    expect(await current()).toMatchObject({ state: 'lapsed' });

    expect(await recheck()).toBe(1);

    expect(await current()).toMatchObject({ handle: 'acme-labs', state: 'proved' });
    expect(await marks()).toEqual(BOTH);
  });
});

describe('a proof', () => {
  it('lapses 60 days after its last good check, and the marks are removed with it', async () => {
    host.profile = '';
    await after('59 days 23 hours');
    expect(await lapse()).toBe(0);
    expect(await marks()).toEqual(BOTH);

    await after('60 days 1 minute');
    expect(await lapse()).toBe(1);

    expect(await marks()).toEqual(NEITHER);
    expect(await current()).toMatchObject({ state: 'lapsed' });
    expect(await lapse()).toBe(0);
  });

  itAtNight('that has lapsed is valid again after a good check', async () => {
    await after('61 days');
    await lapse();

    await recheck();

    expect(await marks()).toEqual(BOTH);
  });

  it('that was removed removes the marks at once, and the listings return to their creator', async () => {
    await removeLinkedAccount(world.database, {
      accountId,
      linkId: link.id,
      backend: embeddedBackend,
      lockRecentSignIn: async () => undefined,
    });

    expect(await marks()).toEqual(NEITHER);
    expect((await world.listing(listing.id)).creatorId).toBe(listing.creator.id);
    expect(await current()).toBeNull();
    await after('31 days');
    expect(await recheck()).toBe(0);
  });

  it('cannot be removed by another account', async () => {
    const stranger = await world.account();

    const removal = removeLinkedAccount(world.database, {
      accountId: stranger,
      linkId: link.id,
      backend: embeddedBackend,
      lockRecentSignIn: async () => undefined,
    });

    await expect(removal).rejects.toMatchObject({ code: 'not_found' });
    expect(await marks()).toEqual(BOTH);
  });
});
