import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeListing, type TestListing } from '../../../testing/factories.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { saveCreators } from '../creators/save-creators.ts';
import { inRegistryTransaction, lockRegistry } from '../registry-locks.ts';
import { lockSubjects, rewriteSearchWords } from './write-listings.ts';

let test: TestDatabase;
let database: Database;
let lower: TestListing;
let higher: TestListing;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
});
afterAll(() => test.close());
beforeEach(async () => {
  await test.empty();
  const listings = [await makeListing(database), await makeListing(database)];
  [lower, higher] = listings.sort((a, b) => (a.subjectId < b.subjectId ? -1 : 1)) as [
    TestListing,
    TestListing,
  ];
});

/** Changes the tier of a listing as a charge does: a trigger copies it to the row with the listing's words. */
async function changeTier(connection: Connection, { subjectId }: TestListing): Promise<void> {
  await connection.query(`UPDATE listing_rank SET tier = 'high' WHERE subject_id = $1`, [subjectId]);
}

/** Runs work while a transaction, like that of charges, changes the tier of one listing before and of one after it began. */
async function duringCharges<Result>(work: () => Promise<Result>): Promise<Result> {
  let working: Promise<Result> | undefined;
  await inTransaction(database, async (charging) => {
    await lockSubjects(charging, [lower.subjectId, higher.subjectId]);
    await changeTier(charging, higher);
    working = work();
    await untilBlocked(database, working);
    await changeTier(charging, lower);
  });
  return working as Promise<Result>;
}

async function wordsOf(listing: TestListing): Promise<{ words: string; tier: string; form: number }> {
  const [row] = await database.query<{ words: string; tier: string; form: number }>(
    'SELECT words::text AS words, tier, form FROM listing_words WHERE subject_id = $1',
    [listing.subjectId],
  );
  return row ?? { words: '', tier: '', form: -1 };
}

it('rewriting search words never deadlocks with charges that change tiers', async () => {
  await database.query('UPDATE listing_words SET form = 1');

  const rewritten = await duringCharges(() => rewriteSearchWords(database, new AbortController().signal));

  expect(rewritten).toBe(2);
  for (const listing of [lower, higher])
    expect(await wordsOf(listing)).toMatchObject({ tier: 'high', form: 2 });
});

it('an import that renames a creator waits for charges of its listings before it writes their words', async () => {
  const [creator] = await database.query<{ handle: string }>(
    'SELECT handle FROM creator WHERE subject_id = $1',
    [lower.creatorId],
  );
  await database.query('UPDATE listing SET creator_id = $1', [lower.creatorId]);
  const row = {
    host: 'github.com',
    handle: creator?.handle ?? '',
    displayName: 'Zebrafish Works',
    handleVariants: [],
    imported: { displayName: 'Zebrafish Works' },
  };

  let ended = false;
  let saving: Promise<unknown> | undefined;
  await inTransaction(database, async (charging) => {
    await lockSubjects(charging, [higher.subjectId]);
    saving = inRegistryTransaction(database, async (connection) => {
      await lockRegistry(connection);
      await saveCreators(connection, [row]);
    }).then(() => {
      ended = true;
    });
    await untilBlocked(database, saving);
    expect(ended).toBe(false);
  });
  await saving;

  for (const listing of [lower, higher]) expect((await wordsOf(listing)).words).toContain('zebrafish');
});
