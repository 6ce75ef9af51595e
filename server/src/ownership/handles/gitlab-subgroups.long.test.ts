import { afterEach, beforeEach, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { type ImportedWorld, openImportedWorld } from '../../../testing/handles/imported-world.ts';
import { listing as listingRow } from '../../../testing/import/rows.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import type { StandInRepository } from '../../../testing/stand-ins/stand-in-host-world.ts';
import { refreshListings, scheduleReadableHosts } from '../../intake/refresh/refresh-run.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { recheckLinkedAccounts } from '../proofs/recheck-linked-accounts.ts';

let world: ImportedWorld;

beforeEach(async () => {
  world = await openImportedWorld();
  world.standIn.world.showsAnyRepository = false;
});
afterEach(() => world.close());

async function refresh(): Promise<void> {
  const { database, hosts } = world;
  const readable = await scheduleReadableHosts(database, hosts);
  await database.query("UPDATE repository_refresh SET next_check_at = ledger_now() - interval '1 second'");
  const parts = { database, hosts, backend: embeddedBackend };
  await refreshListings(parts, readable, { signal: new AbortController().signal });
}

async function recheck(): Promise<void> {
  const { database, hosts } = world;
  await database.query('UPDATE linked_account SET check_due_at = ledger_now()');
  await recheckLinkedAccounts({ database, hosts, backend: embeddedBackend });
}

const api = 'gitlab';
const host = 'gitlab.com';
const group = (handle: string, id: string) =>
  world.standIn.world.account({ api, handle, id, isOrganisation: true });
const creators = () =>
  world.database.query('SELECT host, handle, host_account_id AS id FROM creator ORDER BY 1, 2, 3');

/** Proves a group that owns two listed projects, and returns the first. */
async function proveGroup(): Promise<StandInRepository> {
  const owner = group('group', '5');
  const projects: StandInRepository[] = [];
  for (const name of ['group/tool', 'group/other']) {
    projects.push(world.standIn.world.repository({ api, name, ownerId: owner.id }));
    await world.importRow(listingRow(name, { host }));
  }
  const link = await world.link(world.accounts.acme ?? '', 'group', 'repo_host', host);
  owner.profile = link.code ?? '';
  await world.verify(link);
  return projects[0] as StandInRepository;
}

itAtNight('a project that moves into a subgroup takes no name from the creator of its group', async () => {
  const tool = await proveGroup();
  const before = await creators();

  tool.ownerId = group('group/inner', '6').id;
  await refresh();

  expect(await world.shown('group/other')).toMatchObject({ verified: true, creator: 'acme' });
  expect(await world.shown('group/tool')).toMatchObject({ verified: false, creator: 'acme' });
  expect(await creators()).toEqual(before);
});

it.each(
  sampleUnlessNightly<[string, () => Promise<unknown>]>(
    [
      ['refresh of the listing', refresh],
      ['check of the proof', recheck],
    ],
    ([what]) => what === 'refresh of the listing',
  ),
)('a project that moves into a subgroup of another group is verified no more after a %s', async (_, read) => {
  const tool = await proveGroup();
  group('elsewhere', '7');

  tool.ownerId = group('elsewhere/inner', '8').id;
  await read();

  expect(await world.shown('group/tool')).toMatchObject({ verified: false });
  expect(await world.shown('group/other')).toMatchObject({ verified: true });
});
