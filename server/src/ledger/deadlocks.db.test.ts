import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../database/connect.ts';
import { acceptScore } from '../scoring/accept-score.ts';
import { recordScores } from '../scoring/score.repository.ts';
import type { ScoreRequest } from '../scoring/scoring-backend.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import {
  credentialOf,
  giveCredits,
  makeAccount,
  makeListing,
  type TestAccount,
  type TestListing,
} from '../testing/factories.ts';
import { usableScore } from '../testing/stand-in-backend.ts';
import { fail } from './fail.ts';
import { reapDue } from './reap.ts';
import { newLedgerId, reserve } from './reserve.ts';
import { settle } from './settle.ts';
import { verifyLedger } from './verify.ts';

const LOAD_MS = 3_000;

let test: TestDatabase;
let database: Database;
let accounts: TestAccount[];
let listings: TestListing[];

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 24 });
  database = test.database;
  accounts = await Promise.all(Array.from({ length: 4 }, () => makeAccount(database)));
  for (const { accountId } of accounts) {
    await giveCredits(database, accountId, 500_000, 'gifted');
    await giveCredits(database, accountId, 500_000, 'purchased');
  }
  listings = await Promise.all(Array.from({ length: 4 }, () => makeListing(database)));
});
afterAll(() => test.close());

function pick<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item;
}

function scoreOf(listing: TestListing) {
  const subject = { id: listing.subjectId, type: 'agent', name: 'x', repository: listing.repository };
  const request = { operation: 'agent_score', runId: null, subject, facts: {}, now: new Date() };
  return acceptScore(
    usableScore(request as unknown as ScoreRequest),
    request as unknown as ScoreRequest,
    'stand-in',
  );
}

/** One call of an account for a subject that others hit too; some end well, some fail, some are left to the reaper. */
async function callOnce(): Promise<void> {
  const account = pick(accounts);
  const listing = pick(listings);
  const run = await reserve(database, {
    credential: credentialOf(account.key),
    callerId: account.key.id,
    namedKeyId: null,
    scope: 'scores:read',
    idempotencyKey: randomUUID(),
    fingerprint: createHash('sha256').update(listing.subjectId).digest(),
    priceCredits: 10,
    ledgerId: newLedgerId(),
    operation: 'agent_score',
    subjectId: listing.subjectId,
    leaseMs: Math.random() < 0.2 ? 5 : 60_000,
  });
  const fate = Math.random();
  if (run && fate < 0.75) await settle(database, run, 'agent', scoreOf(listing));
  else if (run && fate < 0.9) await fail(database, run, 'upstream');
}

async function deadlocks(): Promise<number> {
  const [row] = await database.query<{ deadlocks: number }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return row?.deadlocks ?? -1;
}

it('calls of several accounts on the same subjects, recomputed scores and the reaper never wait in a circle', async () => {
  const until = Date.now() + LOAD_MS;
  const failures: string[] = [];
  const done = { calls: 0, recomputed: 0, reaped: 0 };
  const repeat = async (work: () => Promise<void>) => {
    while (Date.now() < until) {
      // A settle that the lease overtook is fenced; it is no matter of locks.
      await work().catch((error: Error) => {
        if (!error.message.includes('settled_before_lease')) failures.push(error.message);
      });
    }
  };
  await Promise.all([
    ...Array.from({ length: 12 }, () =>
      repeat(async () => {
        await callOnce();
        done.calls += 1;
      }),
    ),
    ...Array.from({ length: 4 }, () =>
      repeat(async () => {
        const order = [...listings].sort(() => Math.random() - 0.5);
        await recordScores(database, order.map(scoreOf));
        done.recomputed += 1;
      }),
    ),
    ...Array.from({ length: 2 }, () =>
      repeat(async () => {
        done.reaped += await reapDue(database);
      }),
    ),
  ]);

  expect(failures).toEqual([]);
  expect(await deadlocks()).toBe(0);
  for (const many of Object.values(done)) expect(many).toBeGreaterThan(10);
  expect((await verifyLedger(database)).bad).toEqual([]);
});
