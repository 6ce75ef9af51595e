import { beforeEach, describe, expect, it } from 'vitest';
import { setClock, shiftClock } from '../../testing/clock.ts';
import { giveCredits, makeAccount, type TestAccount } from '../../testing/factories.ts';
import { useOperations } from '../../testing/operations/operation-harness.ts';
import { listDue } from '../../testing/scoring/list-due.ts';
import { type MadeListing, makeListing } from '../../testing/subjects/registry.factory.ts';
import { embeddedBackend } from '../scoring/embedded/embedded-backend.ts';
import { noteScoreDue, overtakenNoted } from '../scoring/note-score-due.ts';
import { scoreSomeDue } from '../scoring/score-due.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';

const NEVER = new AbortController().signal;
const LISTINGS = 12;

const world = useOperations();
let account: TestAccount;
let listings: MadeListing[];
/** The subjects that the background has asked about. */
let scoredAgain: string[];

/** The embedded backend as two backends of one source: calls ask it at once, or between hold and settle. */
const { scoreAtOnce: _, ...askedBetween } = embeddedBackend;
const BACKENDS: readonly (readonly [string, ScoringBackend])[] = [
  ['at once', embeddedBackend],
  ['between hold and settle', askedBetween],
];

beforeEach(async () => {
  const { database } = world;
  await database.query('DELETE FROM score_due');
  account = await makeAccount(database);
  await giveCredits(database, account.accountId, 10_000);
  listings = [];
  for (let made = 0; made < LISTINGS; made += 1)
    listings.push(await makeListing(database, { type: 'agent', stars: 9 }));
  scoredAgain = [];
});

const idsOf = (some: readonly MadeListing[]) => some.map(({ id }) => id).toSorted();

/** Lets the background take what is due, as it does once a note is older than an import’s own scoring takes. */
async function scoreInBackground(
  onAsked: (id: string) => Promise<void> = async () => undefined,
): Promise<void> {
  const counting: ScoringBackend = {
    ...embeddedBackend,
    async score(request, signal) {
      scoredAgain.push(request.subject.id);
      await onAsked(request.subject.id);
      return embeddedBackend.score(request, signal);
    },
  };
  await shiftClock(world.database, '20 seconds');
  await scoreSomeDue(world.database, counting, NEVER);
  await setClock(world.database, null);
}

/** Pays for the score of each, and waits for the notes that no call waits for. */
async function payFor(
  some: readonly MadeListing[],
  backend: ScoringBackend = embeddedBackend,
): Promise<void> {
  for (const { agentId } of some) await world.run(account, { subject: agentId }, { backend });
  await overtakenNoted(world.database);
}

describe.each(BACKENDS)(
  'subjects that were due when calls paid for their scores (scored %s)',
  (_name, backend) => {
    it('are not scored again in the background; the others are', async () => {
      await noteScoreDue(world.database, idsOf(listings));

      await payFor(listings.slice(0, 8), backend);
      await scoreInBackground();

      const asked = scoredAgain.filter((id) => listings.some((listing) => listing.id === id));
      expect(asked.toSorted()).toEqual(idsOf(listings.slice(8)));
    });

    it('leave their creators due, and their children where their own facts had changed', async () => {
      const [parent, other] = listings as [MadeListing, MadeListing];
      const child = await makeListing(world.database, { type: 'agent', parentId: parent.id });
      await noteScoreDue(world.database, [parent.id], [other.id]);

      await payFor([parent, other], backend);

      const due = [child.id, parent.creator.id, other.creator.id].toSorted();
      expect(await listDue(world.database)).toEqual(due);
    });
  },
);

it('a note that is renewed after a call has read the facts stays', async () => {
  const [listing] = listings as [MadeListing];
  await noteScoreDue(world.database, [listing.id]);
  const backend: ScoringBackend = {
    ...askedBetween,
    async score(request, signal) {
      await world.database.query('UPDATE listing SET stars = 90000 WHERE subject_id = $1', [listing.id]);
      await noteScoreDue(world.database, [listing.id]);
      return embeddedBackend.score(request, signal);
    },
  };

  await payFor([listing], backend);

  expect(await listDue(world.database)).toContain(listing.id);
});

it('a round of the background passes over what calls pay for while it is under way', async () => {
  const [parent] = listings as [MadeListing];
  // A child's turn comes in a batch of its own, after its parent's.
  const child = await makeListing(world.database, { type: 'agent', parentId: parent.id });
  await noteScoreDue(world.database, [], [parent.id, child.id]);

  await scoreInBackground((id) => (id === parent.id ? payFor([child]) : Promise.resolve()));

  expect(scoredAgain).toContain(parent.id);
  expect(scoredAgain).not.toContain(child.id);
});

it('a call and the background that score the same facts at once leave nothing due', async () => {
  const [listing] = listings as [MadeListing];
  await noteScoreDue(world.database, [listing.id]);
  let isPaid = false;

  await scoreInBackground(async (id) => {
    if (isPaid || id !== listing.id) return;
    isPaid = true;
    await payFor([listing]);
  });

  expect(isPaid).toBe(true);
  expect(scoredAgain.filter((id) => id === listing.id)).toHaveLength(1);
  expect(await listDue(world.database)).not.toContain(listing.id);
});

it('a call that waits for its backend while the background scores the same facts leaves nothing due', async () => {
  const [listing] = listings as [MadeListing];
  await noteScoreDue(world.database, [listing.id]);
  const backend: ScoringBackend = {
    ...askedBetween,
    async score(request, signal) {
      await scoreInBackground();
      return embeddedBackend.score(request, signal);
    },
  };

  await payFor([listing], backend);

  expect(await listDue(world.database)).not.toContain(listing.id);
});
