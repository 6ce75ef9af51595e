import { afterEach, beforeEach, expect, it } from 'vitest';
import { IMPORTED, type ImportedWorld, openImportedWorld } from '../../../testing/handles/imported-world.ts';
import { listing as listingRow, type Row } from '../../../testing/import/rows.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import type { StandInAccount } from '../../../testing/stand-ins/stand-in-host-world.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { findOpenClaims } from '../proofs/decide-claim.ts';
import { recheckLinkedAccounts } from '../proofs/recheck-linked-accounts.ts';

let world: ImportedWorld;

beforeEach(async () => {
  world = await openImportedWorld();
  world.standIn.world.showsAnyRepository = false;
});
afterEach(() => world.close());

const CREATED = '2020-02-03T04:05:06Z';
const FOREIGN_CREATED = '2012-01-01T01:02:03Z';

/**
 * Creates an older repository of another account under the listed repository's name, whose owner gave up the handle.
 */
function oldStranger() {
  const host = world.standIn.world.account({ handle: 'acme', id: '666', createdAt: '2010-01-01T00:00:00Z' });
  world.standIn.world.repository({
    id: '200',
    name: 'acme/robot',
    ownerId: '666',
    createdAt: FOREIGN_CREATED,
  });
  return host;
}

it.each(
  sampleUnlessNightly<[string, Row]>(
    [
      ['with the id of the other repository', { githubRepoId: 200 }],
      ['without an id', {}],
    ],
    ([what]) => what === 'without an id',
  ),
)(
  'an import that reads another repository under the name, %s, gives its owner nothing',
  async (_, stated) => {
    await world.importRow(listingRow('acme/robot', { ...IMPORTED, createdAt: CREATED }));
    await world.importRow(listingRow('acme/robot', { ...IMPORTED, createdAt: FOREIGN_CREATED, ...stated }));
    const attacker = await world.account('attacker');

    await world.prove(attacker, oldStranger());

    expect(await world.shown()).toMatchObject({ verified: false, creator: 'acme' });
    expect(await findOpenClaims(world.database)).toMatchObject([
      { repository: 'acme/robot', claimant: 'attacker', reason: 'creation_differs' },
    ]);
    await expect(world.register(attacker)).rejects.toMatchObject({ code: 'already_registered' });
  },
);

it('an import under the former owner’s name gives the former owner no mark', async () => {
  const seller = world.standIn.world.account({ handle: 'seller', id: '2' });
  const owner = world.standIn.world.account({ handle: 'acme', id: '1' });
  world.standIn.world.repository({ id: '100', name: 'acme/robot', ownerId: '1' });
  await world.importRow(listingRow('acme/robot', { ...IMPORTED, githubRepoId: 100 }));
  await world.prove(world.accounts.acme ?? '', owner);
  await world.prove(await world.account('seller'), seller);
  expect(await world.shown()).toMatchObject({ verified: true, creator: 'acme' });

  await world.importRow(listingRow('seller/robot', { ...IMPORTED, githubRepoId: 100 }));

  expect(await world.shown('seller/robot')).toMatchObject({ verified: false });
});

it('an import of a transfer to a proved owner has the owner checked at once, by id', async () => {
  const [owner, heir] = ['acme', 'heirs'].map((handle) => world.standIn.world.account({ handle }));
  const robot = world.standIn.world.repository({ id: '100', name: 'acme/robot', ownerId: owner?.id ?? '' });
  await world.importRow(listingRow('acme/robot', { ...IMPORTED, githubRepoId: 100 }));
  await world.prove(world.accounts.acme ?? '', owner as StandInAccount);
  await world.prove(await world.account('heir-here'), heir as StandInAccount);
  Object.assign(robot, { ownerId: heir?.id, name: 'heirs/robot' });

  await world.importRow(listingRow('heirs/robot', { ...IMPORTED, githubRepoId: 100 }));
  expect(await world.shown('heirs/robot')).toMatchObject({ verified: false });
  const { database, hosts } = world;
  await recheckLinkedAccounts({ database, hosts, backend: embeddedBackend });

  expect(await world.shown('heirs/robot')).toMatchObject({ verified: true, creator: 'heir-here' });
});

it('an id that another host gives to another account proves nothing', async () => {
  world.standIn.world.account({ handle: 'acme', id: '1' });
  world.standIn.world.repository({ id: '100', name: 'acme/robot', ownerId: '1' });
  await world.importRow(listingRow('acme/robot', { ...IMPORTED, githubRepoId: 100 }));
  const attacker = await world.account('attacker');
  for (const [api, host] of [
    ['forgejo', 'codeberg.org'],
    ['gitlab', 'gitlab.com'],
    ['bitbucket', 'bitbucket.org'],
  ] as const) {
    const account = world.standIn.world.account({ api, handle: 'acme', id: '1' });
    world.standIn.world.repository({ api, id: '100', name: 'acme/robot', ownerId: '1' });
    const link = await world.link(attacker, 'acme', 'repo_host', host);
    account.profile = link.code ?? '';
    account.name = link.code ?? '';
    await world.verify(link);
    await world.register(attacker, 'acme/robot', { repoHostUrl: `https://${host}/acme/robot` });
  }
  await expect(world.register(attacker)).rejects.toMatchObject({ code: 'already_registered' });
  expect(
    await world.database.query(
      'SELECT host, verified, registered_by IS NULL AS imported FROM listing ORDER BY host',
    ),
  ).toEqual([
    { host: 'bitbucket.org', verified: true, imported: false },
    { host: 'codeberg.org', verified: true, imported: false },
    { host: 'github.com', verified: false, imported: true },
    { host: 'gitlab.com', verified: true, imported: false },
  ]);
});
