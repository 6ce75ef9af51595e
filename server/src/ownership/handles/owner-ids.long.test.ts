import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { IMPORTED, type ImportedWorld, openImportedWorld } from '../../../testing/handles/imported-world.ts';
import { listing as listingRow } from '../../../testing/import/rows.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import type { StandInAccount, StandInRepository } from '../../../testing/stand-ins/stand-in-host-world.ts';
import { refreshListings, scheduleReadableHosts } from '../../intake/refresh/refresh-run.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { decideClaim, findOpenClaims } from '../proofs/decide-claim.ts';
import { removeLinkedAccount } from '../proofs/link-account.ts';
import { recheckLinkedAccounts } from '../proofs/recheck-linked-accounts.ts';

let world: ImportedWorld;
let owner: StandInAccount;
let robot: StandInRepository;

beforeEach(async () => {
  world = await openImportedWorld();
  const host = world.standIn.world;
  host.showsAnyRepository = false;
  owner = host.account({ handle: 'acme', id: '1' });
  robot = host.repository({ id: '100', name: 'acme/robot', ownerId: '1' });
});
afterEach(() => world.close());

const parts = () => ({ database: world.database, backend: embeddedBackend, hosts: world.hosts });
const lines = async () =>
  (await findOpenClaims(world.database)).map(({ repository, claimant, reason }) => [
    repository,
    claimant,
    reason,
  ]);
const stranger = (createdAt = '2026-10-01T00:00:00Z') =>
  world.standIn.world.account({ handle: 'acme', id: '666', createdAt });
const know = () => world.importRow(listingRow('acme/robot', { ...IMPORTED, githubRepoId: 100 }));
async function refresh() {
  await world.database.query(
    "UPDATE repository_refresh SET next_check_at = ledger_now() - interval '1 second'",
  );
  const readable = await scheduleReadableHosts(world.database, world.hosts);
  return refreshListings(parts(), readable, { signal: new AbortController().signal });
}

describe('a freed handle that a stranger proves', () => {
  it.each(
    sampleUnlessNightly(
      [
        ['a fresh account', '2026-10-01T00:00:00Z'],
        ['an account older than the listing', '2010-01-01T00:00:00Z'],
      ],
      ([account]) => account === 'a fresh account',
    ),
  )('brings %s nothing of a repository whose id is known', async (_, createdAt) => {
    await know();
    owner.handle = 'acme-labs';
    const attacker = await world.account('attacker');

    await world.prove(attacker, stranger(createdAt));

    expect(await world.shown()).toEqual({
      ...IMPORTED,
      verified: false,
      creator: expect.not.stringMatching(/^attacker$/),
    });
    await expect(world.register(attacker)).rejects.toMatchObject({ code: 'already_registered' });
    await refresh();
    expect(await world.shown('acme-labs/robot')).toMatchObject({
      ...IMPORTED,
      verified: false,
      creator: 'acme-labs',
    });
    await world.prove(await world.account('rightful'), owner);
    expect(await world.shown('acme-labs/robot')).toMatchObject({ verified: true, creator: 'rightful' });
  });

  it('gives an old account no listing through an old repository under the freed name: that one waits', async () => {
    await world.importRow(listingRow('acme/robot', { ...IMPORTED, createdAt: '2024-02-03T04:05:06Z' }));
    owner.handle = 'acme-labs';
    const old = stranger('2010-01-01T00:00:00Z');
    world.standIn.world.repository({
      name: 'acme/robot',
      ownerId: old.id,
      createdAt: '2012-01-01T00:00:00Z',
    });
    const attacker = await world.account('attacker');

    await world.prove(attacker, old);

    expect(await world.shown()).toMatchObject({ verified: false, creator: 'acme' });
    expect(await lines()).toEqual([['acme/robot', 'attacker', 'creation_differs']]);
    await expect(world.register(attacker)).rejects.toMatchObject({ code: 'already_registered' });
    await refresh();
    expect(await world.shown()).toMatchObject({ verified: false, creator: 'acme' });
  });

  it('gives no listing through a repository that was created after the listing', async () => {
    world.standIn.world.repositories.length = 0;
    owner.handle = 'acme-labs';
    const host = stranger();
    world.standIn.world.repository({
      name: 'acme/robot',
      ownerId: host.id,
      createdAt: '2999-01-01T00:00:00Z',
    });
    const attacker = await world.account('attacker');

    await refresh();
    await world.prove(attacker, host);

    expect(await world.shown()).toMatchObject({ verified: false, creator: 'acme' });
    expect(await lines()).toEqual([['acme/robot', 'attacker', 'created_later']]);
  });
});

describe('a proof', () => {
  it('gives what the host shows as owned by the proved id, with refresh off', async () => {
    const accountId = await world.account('rightful');

    await world.prove(accountId, owner);

    expect(await world.shown()).toMatchObject({ verified: true, creator: 'rightful' });
    expect(await lines()).toEqual([]);
  });

  itAtNight('leaves listings that cannot be read waiting until the next check reads them', async () => {
    const accountId = await world.account('rightful');
    world.standIn.onRequest(async (path) => {
      if (path.startsWith('/github/repos/acme/robot')) world.standIn.trouble({ kind: 'answer', status: 429 });
    });

    await world.prove(accountId, owner);

    expect(await world.shown()).toMatchObject({ verified: false, creator: 'acme' });
    expect(await lines()).toEqual([['acme/robot', 'rightful', 'not_read']]);
    world.standIn.onRequest(null);
    await world.database.query('UPDATE linked_account SET check_due_at = ledger_now()');
    await recheckLinkedAccounts(parts());
    expect(await world.shown()).toMatchObject({ verified: true, creator: 'rightful' });
    expect(await lines()).toEqual([]);
  });

  it('ends for a listing whose repository is transferred, whose creator is the new owner then', async () => {
    await world.prove(await world.account('rightful'), owner);
    world.standIn.world.account({ handle: 'heirs', id: '2' });
    robot.ownerId = '2';

    await refresh();

    expect(await world.shown('heirs/robot')).toMatchObject({ verified: false, creator: 'heirs' });
  });

  it('counts for both listings of one repository, and ends for both when it is transferred', async () => {
    await know();
    await world.prove(await world.account('rightful'), owner);
    owner.handle = 'acme-labs';
    await world.importRow(listingRow('acme-labs/robot'));
    await world.database.query('UPDATE linked_account SET check_due_at = ledger_now()');
    await recheckLinkedAccounts(parts());
    const marks = () =>
      world.database.query('SELECT repository, verified FROM listing WHERE verified ORDER BY repository');
    const both = [
      { repository: 'acme-labs/robot', verified: true },
      { repository: 'acme/robot', verified: true },
    ];
    expect(await marks()).toEqual(both);

    await refresh();
    expect(await marks()).toEqual(both);

    robot.formerNames.push('acme-labs/robot');
    world.standIn.world.account({ handle: 'heirs', id: '2' });
    robot.ownerId = '2';
    await refresh();
    expect(await marks()).toEqual([]);
  });

  it('that is removed returns a listing that still has its owner’s former name', async () => {
    const accountId = await world.account('rightful');
    await world.prove(accountId, owner);
    owner.handle = 'acme-labs';
    const link = await world.prove(accountId, owner);
    expect(await world.shown()).toMatchObject({ verified: true, creator: 'rightful' });

    await removeLinkedAccount(world.database, {
      accountId,
      linkId: link.id,
      backend: embeddedBackend,
      lockRecentSignIn: async () => undefined,
    });

    expect(await world.shown()).toMatchObject({
      verified: false,
      creator: expect.not.stringMatching(/^rightful$/),
    });
  });

  itAtNight(
    'of an earlier release keeps its marks until the first reading, which decides by ids',
    async () => {
      const accountId = await world.account('rightful');
      await world.prove(accountId, owner);
      await world.database.query('UPDATE listing SET host_owner_id = NULL, host_repository_id = NULL');
      robot.ownerId = '666';

      await recheckLinkedAccounts(parts());
      expect(await world.shown()).toMatchObject({ verified: true });
      await world.database.query('UPDATE linked_account SET check_due_at = ledger_now()');
      stranger();
      owner.handle = 'acme-labs';
      robot.name = 'acme/robot';
      await recheckLinkedAccounts(parts());

      const [marks] = await world.database.query<{ verified: number }>(
        'SELECT count(*) FILTER (WHERE verified) AS verified FROM listing',
      );
      expect(marks).toEqual({ verified: 0 });
    },
  );
});

describe('a claim that waits', () => {
  it('is given by the operator where the host shows the claimant as the owner, and stays given', async () => {
    await world.importRow(listingRow('acme/robot', { ...IMPORTED, license: 'Apache-2.0' }));
    await world.prove(await world.account('rightful'), owner);
    const [claim] = await findOpenClaims(world.database);
    expect(claim).toMatchObject({ reason: 'license_differs' });

    await decideClaim(world.database, parts(), { id: claim?.id ?? '', decision: 'give' });

    expect(await world.shown()).toMatchObject({ verified: true, creator: 'rightful' });
    await world.database.query('UPDATE linked_account SET check_due_at = ledger_now()');
    await recheckLinkedAccounts(parts());
    expect(await world.shown()).toMatchObject({ verified: true, creator: 'rightful' });
  });

  it('that is refused is not made again', async () => {
    await world.importRow(listingRow('acme/robot', { ...IMPORTED, license: 'Apache-2.0' }));
    await world.prove(await world.account('rightful'), owner);
    const [claim] = await findOpenClaims(world.database);

    await decideClaim(world.database, parts(), { id: claim?.id ?? '', decision: 'refuse' });
    await world.database.query('UPDATE linked_account SET check_due_at = ledger_now()');
    await recheckLinkedAccounts(parts());

    expect(await lines()).toEqual([]);
    expect(await world.shown()).toMatchObject({ verified: false });
  });
});
