import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ImportedWorld, openImportedWorld, publicUrls } from '../../testing/handles/imported-world.ts';
import { buildBarrier, whileHeld } from '../../testing/hold-inside.ts';
import { listing } from '../../testing/import/rows.ts';
import { untilHostAnswers } from '../../testing/until-host-answers.ts';
import { delistListing } from '../directory/delisting/delist-listing.ts';
import { relistListing } from '../directory/delisting/relist-listing.ts';
import { acknowledgeChild } from '../directory/own-agents/child-claims.ts';
import { refreshNextListing } from '../intake/refresh/refresh-listing.ts';
import { scheduleReadableHosts } from '../intake/refresh/refresh-run.ts';
import { chooseHandle } from '../ownership/handles/choose-handle.ts';
import { removeLinkedAccount } from '../ownership/proofs/link-account.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { toDomainError } from '../platform/http/failures/map-failure.ts';
import { embeddedBackend as backend } from '../scoring/embedded/embedded-backend.ts';
import { lockRegistry } from './registry-locks.ts';

/** Statement timeout, longer than any test: the test holds changes inside a statement, which must not time out. */
const STATEMENT_TIMEOUT_MS = 300_000;

let world: ImportedWorld;
beforeEach(async () => {
  world = await openImportedWorld({
    acquireTimeoutMs: STATEMENT_TIMEOUT_MS,
    poolSize: 2 * Object.keys(CHANGES).length,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
});
afterEach(() => world.close());

const delist = (repository: string) =>
  delistListing(world.database, { text: repository, reason: 'It was spam', publicUrls });

/** Postpones the refresh of all listings, so that none is due. */
async function postponeRefreshes(): Promise<void> {
  await scheduleReadableHosts(world.database, world.hosts);
  await world.database.query("UPDATE repository_refresh SET next_check_at = ledger_now() + interval '1 day'");
}

/** Refreshes this listing before all others. Repeats the refresh if it failed because the host answered too late. */
async function refresh(repository: string): Promise<string | undefined> {
  const outcome = await refreshOnce(repository);
  return outcome === 'failed' ? refresh(repository) : outcome;
}

async function refreshOnce(repository: string): Promise<string | undefined> {
  const { subject } = await world.idsOf(repository);
  const { database, hosts } = world;
  const readable = await scheduleReadableHosts(database, hosts);
  await database.query("UPDATE repository_refresh SET next_check_at = '2000-01-01' WHERE listing_id = $1", [
    subject,
  ]);
  const refreshed = await refreshNextListing(
    { database, hosts, backend },
    readable,
    new AbortController().signal,
  );
  expect(refreshed).toMatchObject({ repository });
  return refreshed?.outcome;
}

/** Prepares a change whose names and accounts no other change uses. Returns the function that makes the change. */
type Preparation = (name: string) => Promise<() => Promise<unknown>>;

const CHANGES: Record<string, Preparation> = {
  async registration(name) {
    const accountId = await world.account(`${name}-maker`);
    return () => world.register(accountId, `${name}/robot`);
  },
  async 'registration under a parent'(name) {
    const accountId = await world.account(`${name}-maker`);
    await world.importRow(listing(`${name}-base/robot`));
    const { id: parentId } = await world.idsOf(`${name}-base/robot`);
    return () => world.register(accountId, `${name}/robot`, { parentId });
  },
  async proof(name) {
    await world.importRow(listing(`${name}/robot`));
    const link = await world.link(await world.account(`${name}-maker`), name);
    world.standIn.world.account({ handle: name, profile: `${link.code}` });
    return () => world.verify(link);
  },
  async 'end of a proof'(name) {
    await world.importRow(listing(`${name}/robot`));
    const accountId = await world.account(`${name}-maker`);
    const link = await world.prove(accountId, world.standIn.world.account({ handle: name }));
    const lockRecentSignIn = async () => undefined;
    return () =>
      removeLinkedAccount(world.database, { accountId, linkId: link.id, backend, lockRecentSignIn });
  },
  async handle(name) {
    await world.importRow(listing(`${name}/robot`));
    const accountId = await world.account(`${name}-maker`);
    await world.prove(accountId, world.standIn.world.account({ handle: name }));
    const lockRecentSignIn = async () => undefined;
    return () =>
      chooseHandle(world.database, backend, { accountId, handle: `${name}-other`, lockRecentSignIn });
  },
  async acknowledgement(name) {
    await world.importRow(listing(`${name}/robot`));
    const accountId = await world.account(`${name}-maker`);
    await world.prove(accountId, world.standIn.world.account({ handle: name }));
    const { id: parentId } = await world.idsOf(`${name}/robot`);
    const child = await world.register(await world.account(`${name}-child`), `${name}-child/robot`, {
      parentId,
    });
    const ask = { childAgentId: child.id, acknowledged: true, lockCredential: async () => undefined };
    return () => acknowledgeChild(world.database, { ...ask, accountId, backend });
  },
  async delisting(name) {
    await family(name);
    return () => delist(`${name}/robot`);
  },
  async relisting(name) {
    await family(name);
    await delist(`${name}/robot`);
    return () => relistListing(world.database, `${name}/robot`, publicUrls);
  },
  async 'refresh with news'(name) {
    await world.importRow(listing(`${name}/robot`));
    await world.importRow(listing(`${name}-base/robot`));
    world.standIn.world.repository({ name: `${name}/robot`, forkOf: `${name}-base/robot` });
    return async () => void expect(await refresh(`${name}/robot`)).toBe('read');
  },
  async 'refresh without news'(name) {
    await world.importRow(listing(`${name}/robot`));
    world.standIn.world.repository({ name: `${name}/robot` });
    await postponeRefreshes();
    await refresh(`${name}/robot`);
    return async () => void expect(await refresh(`${name}/robot`)).toBe('unchanged');
  },
  async 'refresh of a repository that is gone'(name) {
    await world.importRow(listing(`${name}/robot`));
    const gone = world.standIn.world.repository({ name: `${name}/robot` });
    await postponeRefreshes();
    await refresh(`${name}/robot`);
    gone.id = 'gone';
    gone.name = 'nobody/anything';
    return async () => void expect(await refresh(`${name}/robot`)).toBe('gone');
  },
};

/** Imports a listing with a child and a parent. */
async function family(name: string): Promise<void> {
  await world.importRow(listing(`${name}-base/robot`));
  const base = { parentRepository: `${name}-base/robot`, parentRelation: 'fork_of' };
  await world.importRow(listing(`${name}/robot`, base));
  const own = { parentRepository: `${name}/robot`, parentRelation: 'fork_of' };
  await world.importRow(listing(`${name}-child/robot`, own));
}

it('changes of unrelated listings end while others of every kind are held inside their transactions', {
  timeout: 180_000,
}, async () => {
  const prepared: Record<'held' | 'free', (() => Promise<unknown>)[]> = { held: [], free: [] };
  for (const [number, prepare] of Object.values(CHANGES).entries()) {
    for (const side of ['held', 'free'] as const) {
      const change = await prepare(`${side}-${number}`);
      prepared[side].push(() => untilHostAnswers(change));
    }
  }
  await postponeRefreshes();
  await buildBarrier(world.database, 'held');
  const ended: string[] = [];

  const held = await whileHeld(world.database, prepared.held, async () => {
    for (const [number, change] of prepared.free.entries()) {
      await change();
      ended.push(Object.keys(CHANGES)[number] ?? '');
    }
  });

  expect(held.filter(({ status }) => status === 'rejected')).toEqual([]);
  expect(ended).toEqual(Object.keys(CHANGES));
});

it('changes of every kind say that the service is busy where they wait too long for a lock', {
  timeout: 180_000,
}, async () => {
  const changes: (() => Promise<unknown>)[] = [];
  for (const prepare of Object.values(CHANGES)) changes.push(await prepare(`late-${changes.length}`));
  await postponeRefreshes();

  const ends = await inTransaction(world.database, async (connection) => {
    await connection.query("SELECT set_config('idle_in_transaction_session_timeout', '0', true)");
    await lockRegistry(connection);
    return Promise.allSettled(changes.map(untilHostAnswers));
  });

  const answers = ends.map((end) => (end.status === 'rejected' ? toDomainError(end.reason) : null));
  expect(answers.map((answer) => answer?.code)).toEqual(changes.map(() => 'unavailable'));
  expect(new Set(answers.map((answer) => answer?.message))).toEqual(
    new Set([
      'The service is busy: another change of the same entries takes too long. Try again in a moment.',
    ]),
  );
});
