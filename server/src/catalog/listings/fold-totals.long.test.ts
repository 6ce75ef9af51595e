import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeListing } from '../../../testing/factories.ts';
import { fewerUnlessNightly } from '../../../testing/nightly.ts';
import { writeListings } from '../../../testing/outdated-copies.ts';
import { foldTotals } from './refresh-score-distributions.ts';
import { countListings } from './refresh-vocabulary.ts';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 12 });
});
afterAll(() => test.close());

async function changeTiers(id: string, times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    const tier = i % 2 === 0 ? 'medium' : 'low';
    await writeListings(test.database, 'UPDATE listing_rank SET tier = $2 WHERE subject_id = $1', [id, tier]);
  }
}

describe('stored totals', () => {
  it('stay exact while listings change and several processes fold concurrently', async () => {
    const listings = await Promise.all(Array.from({ length: 6 }, () => makeListing(test.database)));
    const read: number[] = [];

    const changes = Promise.all(
      listings.map(({ subjectId }) => changeTiers(subjectId, fewerUnlessNightly(31, 101))),
    );
    let changing = true;
    const done = changes.then(() => {
      changing = false;
    });
    while (changing) {
      await Promise.all([foldTotals(test.database), foldTotals(test.database)]);
      read.push(await countListings(test.database));
    }
    await done;
    await changeTiers(listings[0]?.subjectId ?? '', 600);
    const folded = await foldTotals(test.database);

    expect(new Set(read)).toEqual(new Set([6]));
    expect(folded).toBeGreaterThan(500);
    expect(await countListings(test.database)).toBe(6);
    const counted = await test.database.query(
      'SELECT tier, count(*)::int AS total FROM listing_rank GROUP BY 1 ORDER BY 1',
    );
    const kept = await test.database.query(
      'SELECT tier, sum(difference)::int AS total FROM listing_total GROUP BY 1 HAVING sum(difference) <> 0 ORDER BY 1',
    );
    expect(kept).toEqual(counted);
  });
});
