import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { shiftClock } from '../../../testing/clock.ts';
import { type ImportedWorld, OWN, openImportedWorld } from '../../../testing/handles/imported-world.ts';
import { IS_NIGHTLY, sampleUnlessNightly } from '../../../testing/nightly.ts';
import type { StandInAccount } from '../../../testing/stand-ins/stand-in-host-world.ts';
import { deleteAccount } from '../../accounts/account-lifecycle.ts';
import { embeddedBackend as backend } from '../../scoring/embedded/embedded-backend.ts';
import { lapseProofs } from '../proofs/lapse-proofs.ts';
import { removeLinkedAccount } from '../proofs/link-account.ts';
import type { LinkedAccount } from '../proofs/linked-account.queries.ts';

/** A listing that the account `first` registers while it has proved `acme`. */
const DRONE = { ...OWN, name: 'A Drone', tags: ['drone'] };

let world: ImportedWorld;
let host: StandInAccount;

beforeEach(async () => {
  world = await openImportedWorld();
  host = world.standIn.world.account({ handle: 'acme' });
  for (const name of ['acme/robot', 'acme/drone']) world.standIn.world.repository({ name });
});
afterEach(() => world.close());

const accountOf = (handle: string) => world.accounts[handle] ?? '';

const remove = ({ accountId, id: linkId }: LinkedAccount) =>
  removeLinkedAccount(world.database, {
    ...{ accountId, linkId, backend },
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
  'is displaced by one that is removed': async () =>
    remove(await world.prove(await world.account('third'), host)),
};
const CASES = Object.keys(ENDINGS).flatMap((ending) => [
  [ending, 'acme'] as const,
  [ending, 'somebody'] as const,
]);
/** Endings whose further consequences are tested. For the other endings, only the return of the listing is tested. */
const TESTED_WHOLLY = IS_NIGHTLY ? Object.keys(ENDINGS) : ['is removed'];
/** Selects the simplest case and one of a proof that displaced another. The nightly run tests all cases. */
const isSimplestOrDisplaced = (_: unknown, index: number) => index === 0 || index === CASES.length - 1;

describe.each(sampleUnlessNightly(CASES, isSimplestOrDisplaced))(
  'a proof that %s (account %s), of an owner whose repository another account registered',
  (ending, handle) => {
    const end = (link: LinkedAccount) => ENDINGS[ending]?.(link);
    let first: string;
    let link: LinkedAccount;

    beforeEach(async () => {
      first = await world.account('first');
      await world.prove(first, host);
      await world.register(first, 'acme/drone', DRONE);
      link = await world.prove(accountOf(handle), host);
      expect(await world.shown('acme/drone')).toMatchObject({ ...DRONE, creator: handle, verified: true });
    });

    it('returns the listing to the account that had registered it', async () => {
      await end(link);

      expect(await world.shown('acme/drone')).toEqual({ ...DRONE, creator: 'first', verified: false });
      expect(await world.creatorOf('acme/drone')).toBe(await world.creatorOfAccount(first));
    });

    if (!TESTED_WHOLLY.includes(ending)) return;

    itAtNight('returns it with the text of that account where its later owner had rewritten it', async () => {
      await world.register(accountOf(handle), 'acme/drone', { name: 'Rewritten' });

      await end(link);

      expect(await world.shown('acme/drone')).toEqual({ ...DRONE, creator: 'first', verified: false });
    });

    it('gives it afterwards only to an account that proves the owner and registers it', async () => {
      await end(link);
      const later = await world.account('later');
      const refusal = { code: 'already_registered' };
      await expect(world.register(later, 'acme/drone')).rejects.toMatchObject(refusal);

      await world.prove(later, host);
      await world.register(later, 'acme/drone', { name: 'Later' });

      expect(await world.shown('acme/drone')).toMatchObject({
        name: 'Later',
        creator: 'later',
        verified: true,
      });
    });

    itAtNight('marks it verified when that account proves the owner again', async () => {
      await end(link);

      await world.prove(first, host);

      expect(await world.shown('acme/drone')).toEqual({ ...DRONE, creator: 'first', verified: true });
    });

    it.each(sampleUnlessNightly([false, true], (rewritten) => rewritten))(
      'treats it as an imported one where that account was deleted (rewritten: %s)',
      async (isRewritten) => {
        if (isRewritten) await world.register(accountOf(handle), 'acme/drone', { name: 'Rewritten' });
        await deleteAccount(world.database, backend, first);

        await end(link);

        expect(await world.shown('acme/drone')).toEqual({ ...DRONE, creator: 'acme', verified: false });
        expect(await world.creatorOf('acme/drone')).toBe(await world.creatorOf('acme/robot'));
      },
    );
  },
);
