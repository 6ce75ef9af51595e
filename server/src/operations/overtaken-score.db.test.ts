import { describe, expect, it } from 'vitest';
import { giveCredits, makeAccount } from '../../testing/factories.ts';
import { useOperations } from '../../testing/operations/operation-harness.ts';
import { usableScore } from '../../testing/stand-ins/stand-in-backend.ts';
import { loadFacts } from '../scoring/facts/load-facts.ts';
import { flushChargedScores } from '../scoring/queue/enqueue-scoring.ts';
import { acceptScore } from '../scoring/scores/accept-score.ts';
import { recordScores } from '../scoring/scores/score.queries.ts';

const world = useOperations();

/** Simulates maintenance while a call waits for its backend: stores a score from facts that the call has not read. */
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

describe('a charged score with older facts than a score made in the meantime', () => {
  it('is noted as due', async () => {
    const account = await makeAccount(world.database);
    await giveCredits(world.database, account.accountId, 10);
    world.backend.behave(async (request) => {
      await scoreByMaintenance();
      return usableScore(request);
    });

    const outcome = await world.run(account);

    expect(outcome.kind).toBe('settled');
    await flushChargedScores(world.database);
    expect(await isDue()).toBe(true);
    await world.database.query('DELETE FROM score_due');
  });

  it('is not noted if nothing else scored the subject', async () => {
    const account = await makeAccount(world.database);
    await giveCredits(world.database, account.accountId, 10);

    await world.run(account);
    await flushChargedScores(world.database);

    expect(await isDue()).toBe(false);
  });
});
