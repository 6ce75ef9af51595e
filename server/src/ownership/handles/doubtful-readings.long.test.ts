import { afterEach, beforeEach, expect, it } from 'vitest';
import { IMPORTED, type ImportedWorld, openImportedWorld } from '../../../testing/handles/imported-world.ts';
import { listing as listingRow, type Row } from '../../../testing/import/rows.ts';
import type { StandInRepository } from '../../../testing/stand-ins/stand-in-host-world.ts';
import { refreshListings, scheduleReadableHosts } from '../../intake/refresh/refresh-run.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';

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

const CREATED = '2020-02-03T04:05:06Z';

it.each<[string, Row, Partial<StandInRepository>]>([
  ['creation date', { createdAt: CREATED }, { createdAt: '2012-01-01T01:02:03Z' }],
  ['licence', { license: 'Apache-2.0' }, { license: 'MIT' }],
])(
  'a listed repository that is renamed to a freed name contradicts the %s at every reading',
  async (_, known, shown) => {
    await world.importRow(listingRow('acme/robot', { ...IMPORTED, ...known }));
    await world.importRow(listingRow('stranger/robot', { githubRepoId: 200 }));
    const stranger = world.standIn.world.account({ handle: 'stranger', id: '666' });
    world.standIn.world.repository({ id: '200', name: 'stranger/robot', ownerId: '666', ...shown });
    stranger.handle = 'acme';

    for (let times = 0; times < 3; times += 1) await refresh();
    const attacker = await world.account('attacker');
    await world.prove(attacker, stranger);
    await refresh();

    expect(await world.shown()).toMatchObject({ ...IMPORTED, verified: false, creator: 'acme~unclaimed' });
    await expect(world.register(attacker)).rejects.toMatchObject({ code: 'already_registered' });
  },
);

it('a name under which nothing was found for a time leads to no other repository afterwards', async () => {
  await world.importRow(listingRow('acme/robot', { ...IMPORTED, license: 'Apache-2.0' }));
  await refresh();
  const stranger = world.standIn.world.account({ handle: 'acme', id: '666' });
  world.standIn.world.repository({ id: '200', name: 'acme/robot', ownerId: '666', license: 'MIT' });
  const attacker = await world.account('attacker');

  await world.prove(attacker, stranger);

  expect(await world.shown()).toMatchObject({ ...IMPORTED, verified: false });
  await expect(world.register(attacker)).rejects.toMatchObject({ code: 'already_registered' });
});
