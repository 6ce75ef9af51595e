import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { shiftClock } from '../../../testing/clock.ts';
import {
  IMPORTED,
  type ImportedWorld,
  OWN,
  openImportedWorld,
  publicUrls,
  RENEWED,
} from '../../../testing/handles/imported-world.ts';
import { creator as creatorRow, listing as listingRow } from '../../../testing/import/rows.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import type { StandInAccount } from '../../../testing/stand-ins/stand-in-host-world.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import { deleteAccount } from '../../accounts/account-lifecycle.ts';
import { resolveSubject } from '../../catalog/subjects/resolve-subject.ts';
import { getIdentity } from '../../directory/get-identity.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { confirmAccount } from '../proofs/confirm-account.ts';
import { lapseProofs } from '../proofs/lapse-proofs.ts';
import { removeLinkedAccount } from '../proofs/link-account.ts';
import type { LinkedAccount } from '../proofs/linked-account.queries.ts';

const backend = embeddedBackend;
let world: ImportedWorld;
let host: StandInAccount;

beforeEach(async () => {
  world = await openImportedWorld();
  host = world.standIn.world.account({ handle: 'acme' });
});
afterEach(() => world.close());

const accountOf = (handle: string) => world.accounts[handle] ?? '';
const identityOf = (handle: string) => getIdentity(world.database, handle, publicUrls);

const remove = ({ accountId, id }: LinkedAccount) =>
  removeLinkedAccount(world.database, {
    ...{ accountId, linkId: id, backend },
    lockRecentSignIn: async () => undefined,
  });

/** Ways in which a proof ends. */
const ENDINGS: Record<string, (link: LinkedAccount) => Promise<unknown>> = {
  'is removed': remove,
  async lapses() {
    await shiftClock(world.database, '61 days');
    expect(await lapseProofs(world.database, backend)).toBe(1);
  },
  'goes with the account': ({ accountId }) => deleteAccount(world.database, backend, accountId),
};
const CASES = Object.keys(ENDINGS).flatMap((ending) => [
  [ending, 'acme'] as const,
  [ending, 'somebody'] as const,
]);
/** Selects one case of each ending, alternating between the two accounts. The nightly run tests all cases. */
const isInTurn = (_: unknown, index: number) => index % 4 === 0 || index % 4 === 3;

describe.each(sampleUnlessNightly(CASES, isInTurn))('a proof that %s (account %s)', (ending, handle) => {
  const end = (link: LinkedAccount) => ENDINGS[ending]?.(link);

  it('restores a listing as the last import had it, even if the owner had rewritten it', async () => {
    const before = await world.creatorOf('acme/robot');
    const accountId = accountOf(handle);
    const link = await world.prove(accountId, host);
    await world.register(accountId);
    expect(await world.shown()).toMatchObject({ ...OWN, verified: true });

    await end(link);

    expect(await world.shown()).toEqual({ ...IMPORTED, verified: false, creator: 'acme' });
    expect(await world.creatorOf('acme/robot')).toBe(before);
    expect(await identityOf('github.com:acme')).toMatchObject({
      id: before,
      displayName: 'Acme Inc',
      verified: false,
      provedKinds: [],
    });
  });

  it('restores it as an import during the proof had it', async () => {
    const accountId = accountOf(handle);
    const link = await world.prove(accountId, host);
    await world.register(accountId);
    await world.importRow(listingRow('acme/robot', RENEWED));
    await world.importRow(creatorRow('acme', { displayName: 'Acme Corporation' }));
    expect(await world.shown()).toMatchObject(OWN);

    await end(link);

    expect(await world.shown()).toEqual({ ...RENEWED, verified: false, creator: 'acme' });
    expect(await identityOf('github.com:acme')).toMatchObject({ displayName: 'Acme Corporation' });
    expect((await resolveSubject(world.database, 'creator', 'Acme Corporation', publicUrls)).id).toBe(
      await world.creatorOf('acme/robot'),
    );
  });
});

describe.each(sampleUnlessNightly(['acme', 'somebody'], (each) => each === 'acme'))(
  'a proof of the account %s that is removed',
  (handle) => {
    it('lets a later import change it at once', async () => {
      const accountId = accountOf(handle);
      const link = await world.prove(accountId, host);
      await world.register(accountId);
      await remove(link);

      await world.importRow(listingRow('acme/robot', RENEWED));

      expect(await world.shown()).toEqual({ ...RENEWED, verified: false, creator: 'acme' });
    });

    itAtNight('keeps the history: former creators, former texts, former scores', async () => {
      const { subject } = await world.idsOf('acme/robot');
      const accountId = accountOf(handle);
      const link = await world.prove(accountId, host);
      await world.register(accountId);
      const scores = await world.count('SELECT 1 FROM score WHERE subject_id = $1', [subject]);

      await remove(link);

      expect(await world.database.query('SELECT name, tags FROM listing_former_words')).toEqual([
        { name: OWN.name, tags: OWN.tags },
      ]);
      expect(
        await world.count('SELECT 1 FROM listing_creator_history WHERE listing_id = $1', [subject]),
      ).toBe(handle === 'acme' ? 0 : 2);
      expect(await world.count('SELECT 1 FROM score WHERE subject_id = $1', [subject])).toBeGreaterThan(
        scores,
      );
    });

    itAtNight('lets a search find the listing by the registry’s text only', async () => {
      const accountId = accountOf(handle);
      const link = await world.prove(accountId, host);
      await world.register(accountId);

      await remove(link);

      const found = (word: string) =>
        world.count('SELECT 1 FROM listing_words WHERE words @@ $1::tsquery', [word]);
      expect([await found("'imported'"), await found("'words'")]).toEqual([1, 0]);
      const named = (name: string) =>
        resolveSubject(world.database, 'skill', name, publicUrls).then(({ agentId }) => agentId);
      expect(await named('Imported Robot')).toBe((await world.idsOf('acme/robot')).id);
      await expect(named('My Robot')).rejects.toMatchObject({ code: 'subject_not_found' });
    });

    it('returns what another account had registered, and keeps what nobody else listed', async () => {
      const stranger = await world.account('stranger');
      await world.register(stranger, 'acme/drone', { name: 'A Drone', tags: ['drone'] });
      const accountId = accountOf(handle);
      const link = await world.prove(accountId, host);
      await world.register(accountId, 'acme/drone');
      await world.importRow(listingRow('acme/drone', RENEWED));
      await world.register(accountId, 'acme/new');

      await remove(link);

      expect(await world.shown('acme/drone')).toEqual({
        ...OWN,
        ...{ name: 'A Drone', tags: ['drone'], verified: false, creator: 'stranger' },
      });
      expect(await world.shown('acme/new')).toMatchObject({ ...OWN, verified: false, creator: handle });
      expect(await world.creatorOf('acme/new')).not.toBe(await world.creatorOf('acme/robot'));
    });

    it('removes the parent that the owner claimed, and the owner’s acknowledgements', async () => {
      const { subject, id } = await world.idsOf('acme/robot');
      const parent = await makeListing(world.database);
      const child = await makeListing(world.database, { parentId: subject, acknowledged: true });
      const accountId = accountOf(handle);
      const link = await world.prove(accountId, host);
      await world.register(accountId, 'acme/robot', { parentId: parent.agentId });
      await world.database.query(
        'UPDATE listing SET parent_acknowledged_at = ledger_now() WHERE subject_id = $1',
        [child.id],
      );

      await remove(link);

      const rows = await world.database.query(
        'SELECT agent_id AS id, parent_id AS parent, parent_acknowledged_at AS at FROM listing WHERE subject_id = ANY ($1::uuid[]) ORDER BY 1',
        [[subject, child.id]],
      );
      expect(rows).toEqual(
        expect.arrayContaining([
          { id, parent: null, at: null },
          { id: child.agentId, parent: subject, at: null },
        ]),
      );
    });
  },
);

describe('a proof that ends', () => {
  it('changes nothing where another proof of the same account is valid', async () => {
    const accountId = accountOf('somebody');
    await world.prove(accountId, host);
    await world.register(accountId);
    await world.database.query(
      `INSERT INTO linked_account (id, account_id, kind, host, handle, proved_at, proved_by, check_due_at)
       VALUES (gen_random_uuid(), $1, 'repo_host', 'github.com', 'acme2', ledger_now(), 'operator', ledger_now())`,
      [accountId],
    );
    const [other] = await world.database.query<LinkedAccount>(
      `SELECT id, account_id AS "accountId" FROM linked_account WHERE handle = 'acme2'`,
    );

    await remove(other as LinkedAccount);

    expect(await world.shown()).toMatchObject({ ...OWN, verified: true });
  });

  it('because another account proved the same one removes its text, and nothing of the new owner', async () => {
    const older = await world.account('older');
    await world.prove(older, host);
    await world.register(older);
    const newer = await world.account('newer');

    await world.prove(newer, host);

    expect(await world.shown()).toEqual({ ...IMPORTED, verified: true, creator: 'newer' });
    await world.register(newer, 'acme/robot', { name: 'Ours' });
    expect(await world.shown()).toMatchObject({ name: 'Ours', verified: true });
  });

  itAtNight('lets its account start again: prove, and register again', async () => {
    const accountId = accountOf('acme');
    const link = await world.prove(accountId, host);
    await world.register(accountId);
    await remove(link);

    await world.prove(accountId, host);
    await world.register(accountId);

    expect(await world.shown()).toMatchObject({ ...OWN, verified: true, creator: 'acme' });
  });

  itAtNight('keeps the text where the same account proves it again', async () => {
    const accountId = accountOf('somebody');
    await world.prove(accountId, host);
    await world.register(accountId);

    await world.prove(accountId, host);

    expect(await world.shown()).toMatchObject({ ...OWN, verified: true });
  });

  it('that an operator confirmed with the wrong id does not hinder the right owner', async () => {
    const wrong = await world.account('wrong');
    const link = await confirmAccount(
      world.database,
      { hosts: world.hosts, backend },
      {
        ...{ accountId: wrong, kind: 'repo_host', host: 'github.com', handle: 'acme', hostAccountId: '1' },
        evidenceUrl: 'https://acme.example/proof',
      },
    );
    await expect(world.register(wrong)).rejects.toMatchObject({ code: 'already_registered' });

    await remove({ ...link, accountId: wrong });
    await world.prove(await world.account('right'), host);

    expect(await world.shown()).toEqual({ ...IMPORTED, verified: true, creator: 'right' });
  });
});
