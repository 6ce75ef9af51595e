import { describe, expect, it } from 'vitest';
import { giveCredits, makeAccount } from '../../testing/factories.ts';
import { useOperations } from '../../testing/operations/operation-harness.ts';
import { usableScore } from '../../testing/stand-ins/stand-in-backend.ts';
import { acceptScore } from '../scoring/accept-score.ts';
import { loadFacts } from '../scoring/facts/load-facts.ts';
import { overtakenNoted } from '../scoring/note-score-due.ts';
import { recordScores } from '../scoring/score.repository.ts';

const world = useOperations();

/** What maintenance does while a call waits for its backend: a score from facts that the call has not seen. */
async function scoreByMaintenance(): Promise<void> {
  const { database, listing } = world;
  const loaded = (await loadFacts(database, [listing.subjectId])).get(listing.subjectId);
  if (!loaded) throw new Error('the listing has no facts');
  const request = { operation: 'agent_score', runId: null, ...loaded };
  await recordScores(database, [acceptScore(usableScore(request), request, 'embedded')]);
}

const isDue = async () =>
  (await world.database.query('SELECT 1 FROM score_due WHERE subject_id = $1', [world.listing.subjectId]))
    .length === 1;

describe('a charged score that rests on older facts than one made meanwhile', () => {
  it('is noted to be made again', async () => {
    const account = await makeAccount(world.database);
    await giveCredits(world.database, account.accountId, 10);
    world.backend.behave(async (request) => {
      await scoreByMaintenance();
      return usableScore(request);
    });

    const outcome = await world.run(account);

    expect(outcome.kind).toBe('settled');
    await overtakenNoted(world.database);
    expect(await isDue()).toBe(true);
    await world.database.query('DELETE FROM score_due');
  });

  it('is not noted where nobody else scored the subject', async () => {
    const account = await makeAccount(world.database);
    await giveCredits(world.database, account.accountId, 10);

    await world.run(account);
    await overtakenNoted(world.database);

    expect(await isDue()).toBe(false);
  });
});
