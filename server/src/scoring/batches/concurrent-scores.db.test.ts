import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceClock, setClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { writeListings } from '../../../testing/outdated-copies.ts';
import { listQueued } from '../../../testing/scoring/list-queued.ts';
import { readCurrentScore } from '../../../testing/scoring/read-current-score.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import { embeddedBackend } from '../embedded/embedded-backend.ts';
import type { ScoringBackend } from '../scoring-backend.ts';
import { scoreBatch } from './score-batch.ts';

const NEVER = new AbortController().signal;

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

const score = (backend: ScoringBackend, id: string) => scoreBatch(test.database, backend, [id], NEVER);
const currentTrust = async (id: string) => (await readCurrentScore(test.database, id))?.trust;

describe('two scorings of one subject at once', () => {
  it('end with the score of the later facts, whichever is recorded last', async () => {
    const { id } = await makeListing(test.database, { stars: 1 });
    let hasCrossed = false;
    // The first scoring reads few stars. Before it stores its score, a second scoring reads many stars and stores
    // its score.
    const crossed: ScoringBackend = {
      ...embeddedBackend,
      async score(...asked) {
        if (!hasCrossed) {
          hasCrossed = true;
          await writeListings(test.database, 'UPDATE listing SET stars = 90000 WHERE subject_id = $1', [id]);
          await score(embeddedBackend, id);
        }
        return embeddedBackend.score(...asked);
      },
    };

    await score(crossed, id);
    const trust = await currentTrust(id);

    await score(embeddedBackend, id);
    expect(hasCrossed).toBe(true);
    expect(trust).toBe(await currentTrust(id));
    expect(await listQueued(test.database)).not.toContain(id);
  });
});

it('a score that changes while the clock stands still is no concurrent one', async () => {
  await replaceClock(test.database);
  await setClock(test.database, '2026-11-21T00:00:00Z');
  const { id } = await makeListing(test.database, { stars: 1 });

  // The clock stands still, so each version after the first is later than the clock.
  for (const stars of [10, 1_000, 90_000]) {
    await writeListings(test.database, `UPDATE listing SET stars = ${stars} WHERE subject_id = $1`, [id]);
    await score(embeddedBackend, id);
  }

  expect(await listQueued(test.database)).not.toContain(id);
});
