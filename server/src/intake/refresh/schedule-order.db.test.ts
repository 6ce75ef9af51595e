import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeListing } from '../../../testing/factories.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { scheduleItems, schedulePackages } from './leased-source.queries.ts';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
beforeEach(() => test.empty());
afterAll(() => test.close());

const itemOf = (item: string) => ({ item, host: 'host.example', listingId: null });

/** Schedules two items in one transaction, one before and one after `schedule` began to schedule both. */
async function whileScheduling<Result>(
  [lower, higher]: readonly [string, string],
  schedule: () => Promise<Result>,
): Promise<string[]> {
  let scheduling: Promise<Result> | undefined;
  await inTransaction(test.database, async (other) => {
    await scheduleItems(other, 'tested', [itemOf(lower)]);
    scheduling = schedule();
    await untilBlocked(test.database, scheduling);
    await scheduleItems(other, 'tested', [itemOf(higher)]);
  });
  await scheduling;
  const rows = await test.database.query<{ item: string }>('SELECT item FROM source_reading ORDER BY item');
  return rows.map(({ item }) => item);
}

it('two servers that schedule the same items in different orders never deadlock', async () => {
  const schedule = () => scheduleItems(test.database, 'tested', [itemOf('zebra'), itemOf('alpaca')]);

  expect(await whileScheduling(['alpaca', 'zebra'], schedule)).toEqual(['alpaca', 'zebra']);
});

it('two servers that schedule packages while stars change never deadlock', async () => {
  for (const [name, stars] of [
    ['zebra', 900],
    ['alpaca', 10],
  ] as const) {
    const { subjectId } = await makeListing(test.database, { stars });
    await test.database.query('UPDATE listing SET npm_package = $2 WHERE subject_id = $1', [subjectId, name]);
  }
  const schedule = () => schedulePackages(test.database, 'tested');

  const scheduled = await whileScheduling(['npm:alpaca', 'npm:zebra'], schedule);

  expect(scheduled).toEqual(['npm:alpaca', 'npm:zebra']);
});
