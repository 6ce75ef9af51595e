import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { PLAN_BOOK } from '../../../testing/factories.ts';
import { creator as creatorRow, listing as listingRow, type Row } from '../../../testing/import/rows.ts';
import { saveRows } from '../../../testing/import/save-rows.ts';
import { openProofWorld, type ProofWorld } from '../../../testing/proofs/proof-world.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import { createAccount } from '../../accounts/account-lifecycle.ts';
import { ensureAccountCreator } from '../../catalog/creators/save-creators.ts';
import { creatorsOfAccounts } from '../../catalog/creators/verified.ts';
import { lockRegistry } from '../../catalog/registry-locks.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { resolveSubject } from '../../catalog/subjects/resolve-subject.ts';
import { getIdentity } from '../../directory/get-identity.ts';
import { parseRow } from '../../intake/import/parse-row.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { recheckLinkedAccounts } from '../proofs/recheck-linked-accounts.ts';

const publicUrls = createPublicUrls('https://trust.example');
let world: ProofWorld;

beforeEach(async () => {
  world = await openProofWorld();
});
afterEach(() => world.close());

const recheck = () =>
  recheckLinkedAccounts({ database: world.database, backend: embeddedBackend, hosts: world.hosts });
const acme = (changes = {}) => world.standIn.world.account({ handle: 'acme', ...changes });
const identityOf = (handle: string) => getIdentity(world.database, handle, publicUrls);
const hasCreator = (accountId: string) =>
  inTransaction(world.database, (connection) => ensureAccountCreator(connection, accountId));

async function formerCreators(listingId: string): Promise<string[]> {
  const rows = await world.database.query<{ id: string }>(
    'SELECT h.creator_id AS id FROM listing_creator_history h WHERE h.listing_id = $1 ORDER BY h.id',
    [listingId],
  );
  return rows.map(({ id }) => id);
}

describe('an account without a creator that proves a repository owner', () => {
  it('becomes that creator where the handle is the same, and its id, page and listings stay', async () => {
    const accountId = await world.account('acme');
    const { id, creator } = await makeListing(world.database, { repository: 'acme/robot' });

    await world.prove(accountId, acme());

    expect(await world.listing(id)).toMatchObject({
      creatorId: creator.id,
      verified: true,
      creatorVerified: true,
    });
    expect(await identityOf('acme')).toMatchObject({ id: creator.id, publicPath: '/c/acme', verified: true });
    expect(await formerCreators(id)).toEqual([]);
  });

  itAtNight.each(['somebody', 'ACME'])(
    'takes it over under the handle that its owner chose: %s',
    async (handle) => {
      const accountId = await world.account(handle);
      const { id, creator } = await makeListing(world.database, { repository: 'acme/robot' });

      await world.prove(accountId, acme());

      const listing = await world.listing(id);
      expect(listing).toMatchObject({ verified: true, creatorVerified: true });
      for (const name of ['acme', 'github.com:acme', handle])
        expect(await identityOf(name)).toMatchObject({
          id: listing.creatorId,
          handle,
          publicPath: `/c/${handle}`,
        });
      expect((await resolveSubject(world.database, 'creator', creator.id, publicUrls)).id).toBe(
        listing.creatorId,
      );
    },
  );

  itAtNight(
    'is made the creator of that handle where the registry has none, so that a later import is its own',
    async () => {
      const accountId = await world.account('somebody');
      await world.prove(accountId, acme());

      await importRow(listingRow('acme/robot'));
      await importRow(creatorRow('acme', { displayName: 'Acme Inc' }));
      await recheck();

      const { id } = await identityOf('acme');
      expect(await listingNamed('acme/robot')).toEqual({ creatorId: id, verified: true });
    },
  );

  it('does not verify listings that others own', async () => {
    const { creator } = await makeListing(world.database, { repository: 'acme/robot' });
    const other = await makeListing(world.database, { repository: 'someone-else/thing', creator });
    const elsewhere = await makeListing(world.database, {
      repository: 'acme/x',
      host: 'gitlab.com',
      creator,
    });

    await world.prove(await world.account(), acme());

    expect(await world.listing(other.id)).toMatchObject({ verified: false, creatorVerified: true });
    expect(await world.listing(elsewhere.id)).toMatchObject({ verified: false });
  });
});

describe('an account with a creator that proves a repository owner', () => {
  it('gets its listings and names; the former creator stays in their history', async () => {
    const { id, creator } = await makeListing(world.database, { repository: 'acme/robot', name: 'robot' });
    const accountId = await world.account('somebody');
    const own = await hasCreator(accountId);

    await world.prove(accountId, acme());

    expect(await world.listing(id)).toMatchObject({ creatorId: own, verified: true, creatorVerified: true });
    expect(await formerCreators(id)).toEqual([creator.id]);
    for (const handle of ['acme', 'github.com:acme', 'somebody'])
      expect(await identityOf(handle)).toMatchObject({ id: own, publicPath: '/c/somebody', listingCount: 1 });
  });

  itAtNight('is found by a search for its own handle', async () => {
    const { id } = await makeListing(world.database, { repository: 'acme/robot', name: 'robot' });
    const accountId = await world.account('somebody');
    await hasCreator(accountId);

    await world.prove(accountId, acme());

    const found = await world.database.query(
      "SELECT 1 FROM listing_words WHERE subject_id = $1 AND words @@ 'somebody'",
      [id],
    );
    expect(found).toHaveLength(1);
  });

  itAtNight('gets what is imported under the handle later, and the import changes no name', async () => {
    const accountId = await world.account('somebody');
    const own = await hasCreator(accountId);
    await world.prove(accountId, acme());

    await importRow(listingRow('acme/robot'));
    await importRow(creatorRow('acme', { displayName: 'Acme Inc' }));
    expect(await listingNamed('acme/robot')).toEqual({ creatorId: own, verified: false });
    await recheck();

    expect(await listingNamed('acme/robot')).toEqual({ creatorId: own, verified: true });
    expect((await identityOf('acme')).id).toBe(own);
    expect((await resolveSubject(world.database, 'creator', 'Acme Inc', publicUrls)).id).toBe(own);
  });
});

describe('a proved listing', () => {
  it('that loses its name to another repository is verified no more: nobody knows its owner', async () => {
    await world.prove(await world.account(), acme());
    await importRow(listingRow('acme/robot', { githubRepoId: '1' }));
    const before = await listingNamed('acme/robot');

    await importRow(listingRow('acme/robot', { githubRepoId: '2' }));

    expect(await listingNamed('acme/robot')).toEqual(before);
    expect(await listingNamed('acme/robot~1')).toEqual({ ...before, verified: false });
  });

  it('that moves to another owner is verified no more', async () => {
    await world.prove(await world.account(), acme());
    await importRow(listingRow('acme/robot', { githubRepoId: '1' }));

    await importRow(listingRow('other/robot', { githubRepoId: '1' }));

    expect(await listingNamed('other/robot')).toMatchObject({ verified: false });
  });
});

describe('a newer proof of the same account', () => {
  it('wins: creator, listings and marks move to it, and the older one keeps its other listings', async () => {
    const older = await world.account('acme');
    const { id, creator } = await makeListing(world.database, { repository: 'acme/robot' });
    const host = acme();
    await world.prove(older, host);
    const kept = await makeListing(world.database, { repository: 'older/thing', creator });
    const newer = await world.account('newer');

    await world.prove(newer, host);

    const newerIdentity = await identityOf('newer');
    expect(newerIdentity).toMatchObject({ handle: 'newer', verified: true, listingCount: 1 });
    expect(await world.listing(id)).toMatchObject({ creatorId: newerIdentity.id, verified: true });
    expect((await resolveSubject(world.database, 'creator', creator.id, publicUrls)).id).toBe(
      newerIdentity.id,
    );
    expect(await creatorsOfAccounts(world.database, [older])).toEqual([
      (await world.listing(kept.id)).creatorId,
    ]);
    expect(await world.listing(kept.id)).toMatchObject({ verified: false, creatorVerified: false });
  });

  itAtNight('wins between two that both have creators of their own', async () => {
    const { id, creator } = await makeListing(world.database, { repository: 'acme/robot' });
    const host = acme();
    const [older, newer] = [await world.account('older'), await world.account('newer')];
    const [olderCreator, newerCreator] = [await hasCreator(older), await hasCreator(newer)];
    await world.prove(older, host);

    await world.prove(newer, host);

    expect(await world.listing(id)).toMatchObject({ creatorId: newerCreator, verified: true });
    expect(await formerCreators(id)).toEqual([creator.id, olderCreator]);
    expect(await identityOf('older')).toMatchObject({ id: olderCreator, verified: false, listingCount: 0 });
    expect((await identityOf('acme')).id).toBe(newerCreator);
  });

  it('of another account under a reused handle leaves the earlier owner of the handle its listings, without the mark', async () => {
    const older = await world.account('acme');
    const { id, creator } = await makeListing(world.database, { repository: 'acme/robot' });
    const first = acme();
    await world.prove(older, first);
    first.handle = 'acme-renamed';

    await world.prove(await world.account('newer'), acme());

    expect(await world.listing(id)).toMatchObject({
      creatorId: creator.id,
      verified: false,
      creatorVerified: false,
    });
    const newOwner = await identityOf('github.com:acme');
    expect(newOwner.id).not.toBe(creator.id);
    expect(newOwner).toMatchObject({ handle: 'newer', verified: true, listingCount: 0 });
    expect(await creatorsOfAccounts(world.database, [older])).toEqual([creator.id]);
  });

  it('withdraws what the former creator acknowledged', async () => {
    const parent = await makeListing(world.database, { repository: 'acme/robot' });
    const child = await makeListing(world.database, { parentId: parent.id, acknowledged: true });
    const accountId = await world.account();
    await hasCreator(accountId);

    await world.prove(accountId, acme());

    const [row] = await world.database.query(
      'SELECT parent_acknowledged_at AS at FROM listing WHERE subject_id = $1',
      [child.id],
    );
    expect(row).toEqual({ at: null });
  });
});

describe('the handle of an account', () => {
  it('cannot be one that the registry has, before or after another account proved it', async () => {
    await makeListing(world.database, { repository: 'acme/robot' });
    const attempt = () => createAccount(world.database, PLAN_BOOK, { handle: 'ACME', plan: 'free' });
    await expect(attempt()).rejects.toMatchObject({ code: 'handle_taken' });

    await world.prove(await world.account(), acme());

    await expect(attempt()).rejects.toMatchObject({ code: 'handle_taken' });
  });
});

async function importRow(row: Row): Promise<void> {
  const parsed = parseRow(JSON.stringify(row));
  if ('reason' in parsed) throw new Error(parsed.reason);
  await inTransaction(world.database, async (connection) => {
    await lockRegistry(connection);
    await saveRows(connection, [parsed]);
  });
}

async function listingNamed(repository: string) {
  const [row] = await world.database.query(
    'SELECT creator_id AS "creatorId", verified FROM listing WHERE repository = $1',
    [repository],
  );
  return row;
}
