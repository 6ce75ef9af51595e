import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openProofWorld, type ProofWorld } from '../../../testing/proofs/proof-world.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import { ensureAccountCreator } from '../../catalog/creators/save-creators.ts';
import { lockRegistry } from '../../catalog/registry-locks.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { getIdentity } from '../../directory/get-identity.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { setHandle } from './choose-handle.ts';
import { isHandleTakenByOthers } from './handle.queries.ts';

const publicUrls = createPublicUrls('https://trust.example');
let world: ProofWorld;
let accountId: string;

beforeAll(async () => {
  world = await openProofWorld();
});
beforeEach(async () => {
  accountId = await world.account('somebody');
});
afterEach(() => world.empty());
afterAll(() => world.close());

const take = (handle: string) =>
  inTransaction(world.database, (connection) => setHandle(connection, accountId, handle));
const identityOf = (handle: string) => getIdentity(world.database, handle, publicUrls);
const proveAcme = () => world.prove(accountId, world.standIn.world.account({ handle: 'acme' }));

async function makeOwnCreator(): Promise<string> {
  return inTransaction(world.database, async (connection) => {
    await lockRegistry(connection);
    return ensureAccountCreator(connection, accountId);
  });
}

describe('a handle that the registry has', () => {
  it('cannot be taken before the account has proved it, and can afterwards', async () => {
    const own = await makeOwnCreator();
    await makeListing(world.database, { repository: 'acme/robot' });
    await expect(take('acme')).rejects.toMatchObject({ code: 'handle_taken' });
    await proveAcme();

    await take('acme');

    expect(await identityOf('acme')).toMatchObject({ id: own, handle: 'acme', publicPath: '/c/acme' });
    expect((await identityOf('somebody')).id).toBe(own);
  });

  it('of an owner whose repository another account registered cannot be taken either', async () => {
    const { creator } = await makeListing(world.database);
    await makeListing(world.database, { repository: 'acme/robot', creator });
    await expect(take('ACME')).rejects.toMatchObject({ code: 'handle_taken' });
    await proveAcme();

    await take('acme');
  });

  it('that is also on another host stays another account’s there', async () => {
    await makeListing(world.database, { repository: 'acme/other', host: 'gitlab.com' });
    await proveAcme();

    await expect(take('acme')).rejects.toMatchObject({ code: 'handle_taken' });
  });
});

/** Returns how many listings this session has read since the previous call. */
async function listingsRead(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ read: number }>(
    "SELECT seq_tup_read + idx_tup_fetch AS read FROM pg_stat_xact_user_tables WHERE relname = 'listing'",
  );
  return row?.read ?? 0;
}

describe('whether a handle is taken', () => {
  it('is checked without reading each listing', async () => {
    const { creator } = await makeListing(world.database);
    for (let made = 0; made < 20; made += 1) await makeListing(world.database, { creator });

    const { taken, seen } = await inTransaction(world.database, async (connection) => {
      // For so few rows a sequential scan is cheapest, so it is disabled.
      await connection.query('SET LOCAL enable_seqscan = off');
      const before = await listingsRead(connection);
      const takenByOthers = await isHandleTakenByOthers(connection, accountId, 'nobody-yet');
      return { taken: takenByOthers, seen: (await listingsRead(connection)) - before };
    });

    expect({ taken, seen }).toEqual({ taken: false, seen: 0 });
  });
});

describe('a handle', () => {
  it('cannot look like an id, nor like the name of a deleted account', async () => {
    const other = await world.account('other');

    for (const handle of [other, `deleted-${other}`, 'a b', '']) {
      await expect(take(handle)).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });

  it('is refused for a deleted account', async () => {
    await world.database.query('UPDATE account SET deleted_at = ledger_now() WHERE id = $1', [accountId]);

    await expect(take('anybody')).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('a free handle', () => {
  it('leads to the creator, and so does the old one until another account takes it', async () => {
    const own = await makeOwnCreator();

    await take('anybody');

    expect(await identityOf('anybody')).toMatchObject({ id: own, handle: 'anybody' });
    expect((await identityOf('somebody')).id).toBe(own);
    await world.account('Somebody');
  });

  it.each(['another account has', 'two want at once'])('that %s is refused', async (reason) => {
    const other = await world.account('other');
    const wanted = reason === 'another account has' ? 'OTHER' : 'wanted';
    const attempts = [accountId, other].map((id) =>
      inTransaction(world.database, (connection) => setHandle(connection, id, wanted)),
    );

    const settled = await Promise.allSettled(attempts);

    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(settled.find((each) => each.status === 'rejected')?.reason).toMatchObject({
      code: 'handle_taken',
    });
  });
});
