import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeListing } from '../../../testing/factories.ts';
import { writeListings } from '../../../testing/outdated-copies.ts';
import { GOLDEN_VECTORS, scoreRequest } from '../../../testing/scoring/golden-vectors.ts';
import { scoreByMethod } from '../../scoring/embedded/embedded-backend.ts';
import { acceptScore } from '../../scoring/scores/accept-score.ts';
import { recordScores } from '../../scoring/scores/score.queries.ts';
import { loadAgentRecords } from './agent-record.queries.ts';
import { agentVerdict } from './agent-record.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test?.close());

async function verdictOfListing(id: string) {
  const [record] = await loadAgentRecords(test.database, [id]);
  if (!record) throw new Error('the listing is gone');
  return { verdict: agentVerdict(record), isStored: record.verdict !== null };
}

/** Example facts with enough evidence for a score. */
const SCORED = GOLDEN_VECTORS.filter(
  ({ facts }) => scoreByMethod(scoreRequest(facts)).status !== 'incomplete',
);

it.each(SCORED)(
  'computes the verdict of a score stored before verdicts existed: $name',
  async ({ facts }) => {
    const { subjectId } = await makeListing(test.database);
    expect(await verdictOfListing(subjectId)).toEqual({ verdict: null, isStored: false });
    const request = scoreRequest(facts, 'agent');
    await writeListings(
      test.database,
      'UPDATE listing SET last_commit_at = $2, metrics_observed_at = $3 WHERE subject_id = $1',
      [subjectId, facts.lastCommitAt?.value ?? null, facts.lastCommitAt?.observedAt ?? null],
    );
    const scored = { ...request, subject: { ...request.subject, id: subjectId } };
    await recordScores(test.database, [acceptScore(scoreByMethod(scored), scored, 'embedded')]);
    const { verdict, isStored } = await verdictOfListing(subjectId);

    await test.database.query(
      'UPDATE listing_rank SET verdict = NULL, reasons = NULL WHERE subject_id = $1',
      [subjectId],
    );

    expect(isStored).toBe(true);
    expect(verdict?.sentence).toMatch(/^[A-Z].*\.$/);
    expect(await verdictOfListing(subjectId)).toEqual({ verdict, isStored: false });
  },
);
