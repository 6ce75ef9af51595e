import { afterEach, beforeEach, expect, it } from 'vitest';
import { itAtNight } from '../../testing/at-night.ts';
import { type ImportedWorld, openImportedWorld, publicUrls } from '../../testing/handles/imported-world.ts';
import { buildBarrier, whileHeld } from '../../testing/hold-inside.ts';
import { listing } from '../../testing/import/rows.ts';
import { untilBlocked } from '../../testing/until-blocked.ts';
import { untilHostAnswers } from '../../testing/until-host-answers.ts';
import { delistListing } from '../directory/delisting/delist-listing.ts';
import { acknowledgeChild } from '../directory/own-agents/child-claims.ts';
import { refreshNextListing } from '../intake/refresh/refresh-listing.ts';
import { scheduleReadableHosts } from '../intake/refresh/refresh-run.ts';
import { chooseHandle } from '../ownership/handles/choose-handle.ts';
import { toDomainError } from '../platform/http/failures/map-failure.ts';
import { embeddedBackend as backend } from '../scoring/embedded/embedded-backend.ts';
import { inRegistryTransaction, lockKeys } from './registry-locks.ts';
import { setParent } from './relations/lineage-edges.ts';

/** Statement timeout, longer than any test: the test holds a change inside a statement, which must not time out. */
const STATEMENT_TIMEOUT_MS = 300_000;

let world: ImportedWorld;
beforeEach(async () => {
  world = await openImportedWorld({ statementTimeoutMs: STATEMENT_TIMEOUT_MS });
});
afterEach(() => world.close());

/** Repeats work while the database is busy, because on a slow machine the work may wait too long for a lock. */
async function patiently(work: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (toDomainError(error).code !== 'unavailable') throw error;
    }
  }
}

/** Holds `first` inside its transaction, lets `second` begin, and returns how both ended. */
async function inTurn(
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<PromiseSettledResult<unknown>[]> {
  let following: Promise<unknown> = Promise.resolve();
  const held = await whileHeld(world.database, [() => untilHostAnswers(first)], async () => {
    following = patiently(() => untilHostAnswers(second));
    await untilBlocked(world.database, following, 2);
  });
  return [...held, ...(await Promise.allSettled([following]))];
}

const DONE = { status: 'fulfilled' };
const refused = (code: string) => ({ status: 'rejected', reason: { code } });

const delist = (repository: string) =>
  delistListing(world.database, { text: repository, reason: 'It was spam', publicUrls });

async function refresh(repository: string): Promise<unknown> {
  const { subject } = await world.idsOf(repository);
  const { database, hosts } = world;
  const readable = await scheduleReadableHosts(database, hosts);
  await database.query(
    `UPDATE repository_refresh SET next_check_at = ledger_now() + CASE WHEN listing_id = $1 THEN interval '-1 second'
       ELSE interval '1 day' END`,
    [subject],
  );
  return refreshNextListing({ database, hosts, backend }, readable, new AbortController().signal);
}

async function parents(): Promise<Record<string, string | null>> {
  const rows = await world.database.query<{ child: string; parent: string | null }>(
    `SELECT l.repository AS child, p.repository AS parent FROM listing l
     LEFT JOIN listing p ON p.subject_id = l.parent_id WHERE l.repository <> 'acme/robot'`,
  );
  return Object.fromEntries(rows.map(({ child, parent }) => [child, parent]));
}

it('a proof claims what its account is registering', async () => {
  const maker = await world.account('maker');
  await world.register(maker, 'maker/robot');
  const link = await world.link(maker, 'held');
  world.standIn.world.account({ handle: 'held', profile: `${link.code}` });
  await buildBarrier(world.database, 'held/robot', ['listing']);

  const ends = await inTurn(
    () => world.register(maker, 'held/robot'),
    () => world.verify(link),
  );

  expect(ends).toMatchObject([DONE, DONE]);
  const { subject } = await world.idsOf('held/robot');
  expect(await world.database.query('SELECT listing_id AS id FROM listing_claim')).toEqual([{ id: subject }]);
});

itAtNight('a registration is refused under a parent that is being delisted', async () => {
  await world.importRow(listing('held/robot'));
  const { id: parentId } = await world.idsOf('held/robot');
  const maker = await world.account('maker');
  await buildBarrier(world.database, 'held');

  const ends = await inTurn(
    () => delist('held/robot'),
    () => world.register(maker, 'maker/robot', { parentId }),
  );

  expect(ends).toMatchObject([DONE, refused('invalid_request')]);
});

it('a refresh makes no edge to a listing that is being delisted', async () => {
  await world.importRow(listing('held/robot'));
  await world.importRow(listing('fan/robot'));
  world.standIn.world.repository({ name: 'fan/robot', forkOf: 'held/robot' });
  await buildBarrier(world.database, 'held');

  const ends = await inTurn(
    () => delist('held/robot'),
    () => refresh('fan/robot'),
  );

  expect(ends).toMatchObject([DONE, { status: 'fulfilled', value: { outcome: 'read' } }]);
  expect(await world.database.query('SELECT id FROM relation')).toEqual([]);
});

itAtNight('a refresh makes an edge to a listing that is being registered', async () => {
  await world.importRow(listing('fan/robot'));
  const { id: parentId } = await world.idsOf('fan/robot');
  world.standIn.world.repository({ name: 'fan/robot', forkOf: 'held/robot' });
  const maker = await world.account('maker');
  await buildBarrier(world.database, 'held');

  const ends = await inTurn(
    () => world.register(maker, 'held/robot', { parentId }),
    () => refresh('fan/robot'),
  );

  expect(ends).toMatchObject([DONE, { status: 'fulfilled', value: { outcome: 'read' } }]);
  expect(await parents()).toEqual({ 'fan/robot': 'held/robot', 'held/robot': null });
});

it('two edges of one family are chosen one after the other', async () => {
  const ids = [];
  for (const repository of ['held/one', 'other/two']) {
    await world.importRow(listing(repository));
    ids.push((await world.idsOf(repository)).subject);
  }
  const [one = '', two = ''] = ids;
  const claim = (childId: string, parentId: string) =>
    inRegistryTransaction(world.database, async (connection) => {
      await lockKeys(connection, []);
      return setParent(connection, { childId, parentId, relation: 'based_on', stated: false });
    });
  await buildBarrier(world.database, 'held');

  const ends = await inTurn(
    () => claim(one, two),
    () => claim(two, one),
  );

  expect(ends).toMatchObject([{ value: { outcome: 'set' } }, { value: { outcome: 'circle' } }]);
  expect(await parents()).toEqual({ 'held/one': 'other/two', 'other/two': null });
});

itAtNight(
  'two listings that name one package are delisted with all their names, and the package leads to a third',
  async () => {
    for (const owner of ['one', 'two', 'three']) {
      await world.importRow(listing(`${owner}/robot`, { npmPackage: 'shared-robot' }));
    }
    const { subject } = await world.idsOf('three/robot');
    await buildBarrier(world.database, subject, ['score_due']);

    const ends = await inTurn(
      () => delist('one/robot'),
      () => delist('two/robot'),
    );

    expect(ends).toMatchObject([DONE, DONE]);
    const named = await world.database.query(
      `SELECT DISTINCT subject_id AS id FROM subject_alias
     WHERE label LIKE '%one/robot' OR label LIKE '%two/robot' OR label LIKE '%shared-robot'`,
    );
    expect(named).toEqual([{ id: subject }]);
  },
);

it('nobody acknowledges a child of a listing that is passing to another account', async () => {
  await world.importRow(listing('held/robot'));
  const { id: parentId } = await world.idsOf('held/robot');
  const [before, next, fan] = [
    await world.account('before'),
    await world.account('next'),
    await world.account('fan'),
  ];
  const host = world.standIn.world.account({ handle: 'held' });
  await world.prove(before, host);
  const child = await world.register(fan, 'fan/robot', { parentId });
  const link = await world.link(next, 'held');
  host.profile = `${link.code}`;
  await buildBarrier(world.database, 'held/robot', ['listing']);
  const ask = { accountId: before, childAgentId: child.id, acknowledged: true, backend };

  const ends = await inTurn(
    () => world.verify(link),
    () => acknowledgeChild(world.database, { ...ask, lockCredential: async () => undefined }),
  );

  expect(ends).toMatchObject([DONE, refused('not_found')]);
  const acknowledged = await world.database.query(
    'SELECT repository FROM listing WHERE parent_acknowledged_at IS NOT NULL',
  );
  expect(acknowledged).toEqual([]);
});

it('no account takes the handle of an owner whose repository is being registered', async () => {
  const [maker, other] = [await world.account('maker'), await world.account('other')];
  await buildBarrier(world.database, 'held');
  const lockRecentSignIn = async () => undefined;

  const ends = await inTurn(
    () => world.register(maker, 'held/robot'),
    () => chooseHandle(world.database, backend, { accountId: other, handle: 'held', lockRecentSignIn }),
  );

  expect(ends).toMatchObject([DONE, refused('handle_taken')]);
});
