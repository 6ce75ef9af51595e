import { createHash, randomUUID } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import type { Random } from '../../../../torture/random.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import {
  credentialOf,
  giveCredits,
  makeAccount,
  makeListing,
  type TestAccount,
  type TestListing,
} from '../../../testing/factories.ts';
import { usableScore } from '../../../testing/stand-ins/stand-in-backend.ts';
import { seededRandom } from '../../../testing/test-chance.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import { connect, type Database } from '../../platform/database/connect.ts';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { acceptScore } from '../../scoring/scores/accept-score.ts';
import { recordScores } from '../../scoring/scores/score.queries.ts';
import type { ScoreRequest } from '../../scoring/scoring-backend.ts';
import { fail } from './fail.ts';
import { reapDue } from './reap.ts';
import { newLedgerId, type Reservation, reserve } from './reserve.ts';
import { settle } from './settle.ts';
import { verifyLedger } from './verify.ts';

/** Successful calls; every tenth is left to the reaper. */
const CALLS = 600;
const RECOMPUTED = 100;

let test: TestDatabase;
let database: Database;
let accounts: TestAccount[];
let listings: TestListing[];

/** Stores the subjects and accounts in a database whose sessions have these settings. */
async function setUp(settings: Readonly<Record<string, string>>): Promise<void> {
  test = await createTestDatabase({ poolSize: 24 });
  database = test.database;
  const [row] = await database.query<{ name: string }>('SELECT current_database() AS name');
  for (const [setting, value] of Object.entries(settings)) {
    await database.query(`ALTER DATABASE ${row?.name} SET ${setting} = '${value}'`);
  }
  accounts = await Promise.all(Array.from({ length: 4 }, () => makeAccount(database)));
  for (const { accountId } of accounts) {
    await giveCredits(database, accountId, 500_000, 'gifted');
    await giveCredits(database, accountId, 500_000, 'purchased');
  }
  listings = await Promise.all(Array.from({ length: 4 }, () => makeListing(database)));
}
afterEach(() => test.close());

function scoreOf(listing: TestListing) {
  const subject = { id: listing.subjectId, type: 'agent', name: 'x', repository: listing.repository };
  const request = { operation: 'agent_score', runId: null, subject, facts: {}, now: new Date() };
  return acceptScore(
    usableScore(request as unknown as ScoreRequest),
    request as unknown as ScoreRequest,
    'stand-in',
  );
}

const SHORT_LEASE_MS = 5;

async function reserveFor(account: TestAccount, listing: TestListing, leaseMs: number): Promise<Reservation> {
  const run = await reserve(database, {
    credential: credentialOf(account.key),
    accountId: account.accountId,
    callerId: account.key.id,
    namedKeyId: null,
    scope: 'scores:read',
    idempotencyKey: randomUUID(),
    fingerprint: createHash('sha256').update(listing.subjectId).digest(),
    priceCredits: 10,
    ledgerId: newLedgerId(),
    operation: 'agent_score',
    subjectId: listing.subjectId,
    leaseMs,
  });
  if (!run) throw new Error('nothing was reserved');
  return run;
}

/** Makes a call of an account for a contended subject; some settle, some fail, some are left to the reaper. */
async function callOnce(random: Random, number: number): Promise<void> {
  const account = random.pick(accounts);
  const listing = random.pick(listings);
  const isAbandoned = number % 10 === 0;
  const run = await reserveFor(account, listing, number % 5 === 0 ? SHORT_LEASE_MS : 60_000);
  if (isAbandoned) return;
  if (random.chance(0.8)) await settle(database, run, 'agent', scoreOf(listing));
  else await fail(database, run, 'upstream');
}

/** Counts open runs with a short lease. */
async function abandoned(): Promise<number> {
  const [row] = await database.query<{ runs: number }>(
    "SELECT count(*)::int AS runs FROM usage_run WHERE state = 'reserved' AND lease_until < created_at + interval '1 second'",
  );
  return row?.runs ?? -1;
}

/** Counts stored rows, because a sweep that skipped one bucket reports nothing about the others. */
async function reaped(): Promise<number> {
  const [row] = await database.query<{ runs: number }>(
    "SELECT count(*)::int AS runs FROM ended_run WHERE fail_code = 'lease_expired'",
  );
  return row?.runs ?? -1;
}

async function deadlocks(): Promise<number> {
  const [row] = await database.query<{ deadlocks: number }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return row?.deadlocks ?? -1;
}

it.each([
  ['', {}],
  // A join by hash reads a small table in the order of storage, and an UPDATE locks rows in the order of its plan.
  [', even if every join is by hash', { enable_nestloop: 'off', enable_mergejoin: 'off' }],
])(
  'calls of several accounts for the same subjects, recomputed scores and the reaper never deadlock%s',
  async (_, settings) => {
    await setUp(settings);
    const random = seededRandom();
    const failures: string[] = [];
    const done = { calls: 0, recomputed: 0 };
    // A settle after the lease is rejected, and a busy machine can exceed a lock timeout. Neither is a deadlock.
    const tolerate = (error: Error) => {
      if (error.message.includes('settled_before_lease')) return true;
      if (isDatabaseUnavailable(error)) return false;
      failures.push(error.message);
      return false;
    };
    const until = async (isEnough: () => boolean, work: () => Promise<unknown>, note: () => void) => {
      while (!isEnough() && failures.length === 0) {
        if (await work().then(() => true, tolerate)) note();
      }
    };
    let number = 0;
    const caller = () =>
      until(
        () => done.calls >= CALLS,
        () => callOnce(random, number++),
        () => (done.calls += 1),
      );
    const recomputer = () =>
      until(
        () => done.recomputed >= RECOMPUTED,
        () => recordScores(database, inSomeOrder(listings, random).map(scoreOf)),
        () => (done.recomputed += 1),
      );
    let over = false;
    const reap = () => reapDue(database);
    const reaper = () =>
      until(
        () => over,
        reap,
        () => undefined,
      );
    const load = Promise.all([
      ...Array.from({ length: 12 }, caller),
      ...Array.from({ length: 4 }, recomputer),
    ]).finally(() => {
      over = true;
    });
    await Promise.all([load, reaper(), reaper()]);
    while ((await abandoned()) > 0) await reap();

    expect(failures).toEqual([]);
    expect(await reaped()).toBeGreaterThan(CALLS / 20);
    expect(await deadlocks()).toBe(0);
    expect((await verifyLedger(database)).bad).toEqual([]);
  },
  120_000,
);

it('calls of several servers never deadlock over a version of a subject that a foreign key check still locks', async () => {
  await setUp({});
  const others = [0, 1].map(() => connect(test.url));
  const [listing] = listings as [TestListing];
  const runs = await Promise.all(accounts.slice(0, 2).map((account) => reserveFor(account, listing, 60_000)));

  let settling: Promise<unknown>[] = [];
  await inTransaction(database, async (checking) => {
    await checking.query('SELECT FROM subject WHERE id = $1 FOR KEY SHARE', [listing.subjectId]);
    await inTransaction(database, async (replacing) => {
      await replacing.query('UPDATE subject SET current_version = ledger_now() WHERE id = $1', [
        listing.subjectId,
      ]);
      settling = runs.map((run, n) => settle(others[n] as Database, run, 'agent', scoreOf(listing)));
      await untilBlocked(database, Promise.all(settling), 2);
    });
    // The replaced version is locked until both have ended.
    await expect(Promise.all(settling)).resolves.toMatchObject([{}, {}]);
  });
  await Promise.all(others.map((other) => other.close()));
});

function inSomeOrder<Item>(items: readonly Item[], random: Random): Item[] {
  const places = items.map((item) => ({ item, place: random.next() }));
  return places.sort((a, b) => a.place - b.place).map(({ item }) => item);
}
