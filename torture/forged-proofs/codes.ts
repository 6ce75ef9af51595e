import type { Claim, Reply } from './forged-world.ts';
import { type Attempt, type Forgery, gainOf, published } from './forgery.ts';

const ON_GITHUB = { kind: 'repo_host', host: 'github.com' } as const;

const claimOf = ({ victim }: Attempt): Claim => ({ ...ON_GITHUB, handle: victim });

/** Creates a forgery in which the host account's own profile contains a text derived from the code. */
const withText = (forged: string, text: (code: string) => string, name?: (code: string) => string) =>
  published(forged, ON_GITHUB, ({ world, victim }, code) => {
    const named = name && { name: name(code) };
    world.standIn.world.account({ handle: victim, profile: text(code), ...named });
  });

/** Creates a forgery against an account whose owner has linked it too, and published their own code there. */
function besideOwner(
  forged: string,
  run: (attempt: Attempt, ofOwner: Reply, ownerVerifies: () => Promise<Reply>) => Promise<Reply>,
): Forgery {
  return {
    forged,
    where: 'github.com',
    async run(attempt) {
      const owner = await attempt.world.person(`owner-${attempt.number}`);
      const ofOwner = await owner.link(claimOf(attempt));
      attempt.world.standIn.world.account({ handle: attempt.victim, profile: ofOwner.body.code });
      return gainOf(await run(attempt, ofOwner, () => owner.verify(ofOwner.body.id)));
    },
  };
}

/** Forgeries with a code that belongs to another link, is incomplete or has expired. */
export const CODE_FORGERIES: readonly Forgery[] = [
  withText('half of a code', (code) => code.slice(0, -1)),
  withText('a code in capitals', (code) => code.toUpperCase()),
  withText(
    'a code in two parts of a profile',
    (code) => code.slice(20),
    (code) => code.slice(0, 20),
  ),
  withText('a code with a blank in it', (code) => `${code.slice(0, 20)} ${code.slice(20)}`),
  withText('the code’s beginning alone', () => 'trust-directory-'),
  besideOwner('the owner’s code, for a link of the attacker’s', async (attempt) => {
    const link = await attempt.person.link(claimOf(attempt));
    return attempt.person.verify(link.body.id);
  }),
  besideOwner('the owner’s link', ({ person }, ofOwner) => person.verify(ofOwner.body.id)),
  besideOwner('the owner’s code once it is proved', async (attempt, _ofOwner, ownerVerifies) => {
    const proved = await ownerVerifies();
    if (proved.status !== 200) throw new Error('the owner is not proved');
    const link = await attempt.person.link(claimOf(attempt));
    return attempt.person.verify(link.body.id);
  }),
  published('an expired code', ON_GITHUB, async ({ world, victim, person }, code) => {
    world.standIn.world.account({ handle: victim, profile: code });
    await world.database.query(
      `UPDATE linked_account SET code_expires_at = ledger_now() - interval '1 second' WHERE account_id = $1`,
      [person.accountId],
    );
  }),
  published('a code that a newer one has replaced', ON_GITHUB, async (attempt, code) => {
    attempt.world.standIn.world.account({ handle: attempt.victim, profile: code });
    await attempt.person.link(claimOf(attempt));
  }),
  published('the code of a link that was removed', ON_GITHUB, async ({ world, victim, person }, code) => {
    world.standIn.world.account({ handle: victim, profile: code });
    const { body } = await person.call('GET', '/api/console/linked-accounts');
    for (const { id } of body.data) await person.call('DELETE', `/api/console/linked-accounts/${id}`);
  }),
  ...[404, 200].map((status) =>
    published(`a page with status ${status} that repeats what was asked`, ON_GITHUB, ({ world }, code) => {
      world.standIn.trouble({ kind: 'answer', status, body: `<html>not found: ${code}</html>` });
    }),
  ),
  published('a profile that is cut off', ON_GITHUB, ({ world, victim }, code) => {
    const body = JSON.stringify({ id: 7, login: victim, type: 'User', bio: code }).slice(0, -1);
    world.standIn.trouble({ kind: 'answer', status: 200, body });
  }),
];
