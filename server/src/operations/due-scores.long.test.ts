import { beforeEach, describe, expect, it } from 'vitest';
import { setClock, shiftClock } from '../../testing/clock.ts';
import { giveCredits, makeAccount, type TestAccount } from '../../testing/factories.ts';
import { useOperations } from '../../testing/operations/operation-harness.ts';
import { writeListings } from '../../testing/outdated-copies.ts';
import { listQueued } from '../../testing/scoring/list-queued.ts';
import { type MadeListing, makeListing } from '../../testing/subjects/registry.factory.ts';
import { scoreQueueSample } from '../scoring/batches/score-queued-subjects.ts';
import { embeddedBackend } from '../scoring/embedded/embedded-backend.ts';
import { enqueueScoring, flushChargedScores } from '../scoring/queue/enqueue-scoring.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';

const NEVER = new AbortController().signal;
const LISTINGS = 12;

const world = useOperations();
let account: TestAccount;
let listings: MadeListing[];
/** Subjects that the background job has scored. */
let scoredAgain: string[];

/** The embedded backend without its synchronous method, so that it is called between hold and settle. */
const { scoreSync: _, ...askedBetween } = embeddedBackend;
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

/** Runs the background job, as if the queue entries were old enough for it. */
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
  await scoreQueueSample(world.database, counting, NEVER);
  await setClock(world.database, null);
}

/** Pays for the score of each subject, and waits for the queue updates that calls do not await. */
async function payFor(
  some: readonly MadeListing[],
  backend: ScoringBackend = embeddedBackend,
): Promise<void> {
  for (const { agentId } of some) await world.run(account, { subject: agentId }, { backend });
  await flushChargedScores(world.database);
}

describe.each(BACKENDS)(
  'subjects that were due when calls paid for their scores (backend: %s)',
  (_name, backend) => {
    it('are not scored again in the background, the others are', async () => {
      await enqueueScoring(world.database, idsOf(listings));

      await payFor(listings.slice(0, 8), backend);
      await scoreInBackground();

      const asked = scoredAgain.filter((id) => listings.some((listing) => listing.id === id));
      expect(asked.toSorted()).toEqual(idsOf(listings.slice(8)));
    });

    it('leave their creators due, and their children if their own facts had changed', async () => {
      const [parent, other] = listings as [MadeListing, MadeListing];
      const child = await makeListing(world.database, { type: 'agent', parentId: parent.id });
      await enqueueScoring(world.database, [parent.id], [other.id]);

      await payFor([parent, other], backend);

      const due = [child.id, parent.creator.id, other.creator.id].toSorted();
      expect(await listQueued(world.database)).toEqual(due);
    });
  },
);

it('a note renewed after a call has read the facts remains', async () => {
  const [listing] = listings as [MadeListing];
  await enqueueScoring(world.database, [listing.id]);
  const backend: ScoringBackend = {
    ...askedBetween,
    async score(request, signal) {
      await writeListings(world.database, 'UPDATE listing SET stars = 90000 WHERE subject_id = $1', [
        listing.id,
      ]);
      await enqueueScoring(world.database, [listing.id]);
      return embeddedBackend.score(request, signal);
    },
  };

  await payFor([listing], backend);

  expect(await listQueued(world.database)).toContain(listing.id);
});

it('the background job skips subjects that calls pay for while it runs', async () => {
  const [parent] = listings as [MadeListing];
  // A child is scored in a separate batch, after its parent's.
  const child = await makeListing(world.database, { type: 'agent', parentId: parent.id });
  await enqueueScoring(world.database, [], [parent.id, child.id]);

  await scoreInBackground((id) => (id === parent.id ? payFor([child]) : Promise.resolve()));

  expect(scoredAgain).toContain(parent.id);
  expect(scoredAgain).not.toContain(child.id);
});

it('a call and the background job that score the same facts at once leave nothing due', async () => {
  const [listing] = listings as [MadeListing];
  await enqueueScoring(world.database, [listing.id]);
  let isPaid = false;

  await scoreInBackground(async (id) => {
    if (isPaid || id !== listing.id) return;
    isPaid = true;
    await payFor([listing]);
  });

  expect(isPaid).toBe(true);
  expect(scoredAgain.filter((id) => id === listing.id)).toHaveLength(1);
  expect(await listQueued(world.database)).not.toContain(listing.id);
});

it('a call that waits for its backend while the background job scores the same facts leaves nothing due', async () => {
  const [listing] = listings as [MadeListing];
  await enqueueScoring(world.database, [listing.id]);
  const backend: ScoringBackend = {
    ...askedBetween,
    async score(request, signal) {
      await scoreInBackground();
      return embeddedBackend.score(request, signal);
    },
  };

  await payFor([listing], backend);

  expect(await listQueued(world.database)).not.toContain(listing.id);
});
