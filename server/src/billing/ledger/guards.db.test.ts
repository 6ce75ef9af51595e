import { createHash, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { replaceClock, setClock } from '../../../testing/clock.ts';
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
import { untilBlocked } from '../../../testing/until-blocked.ts';
import type { Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { acceptScore } from '../../scoring/scores/accept-score.ts';
import type { ScoreRequest } from '../../scoring/scoring-backend.ts';
import { loadBillingContext } from './billing-context.ts';
import { openPeriod } from './change-period.ts';
import { fail } from './fail.ts';
import { reapAccount, reapBucket } from './reap.ts';
import { newLedgerId, quote, type Reservation, type ReserveInput, reserve } from './reserve.ts';
import { settle } from './settle.ts';
import { verifyLedger } from './verify.ts';

const FREE = { plan: 'free', overageEnabled: false, overageCap: null };

let test: TestDatabase;
let database: Database;
let listing: TestListing;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 20 });
  database = test.database;
  await replaceClock(database);
  listing = await makeListing(database);
});
afterEach(async () => {
  await setClock(database, null);
  expect((await verifyLedger(database)).bad).toEqual([]);
});
afterAll(() => test.close());

function input(account: TestAccount, changes: Partial<ReserveInput> = {}): ReserveInput {
  return {
    credential: credentialOf(account.key),
    accountId: account.accountId,
    callerId: account.key.id,
    namedKeyId: null,
    scope: 'scores:read',
    idempotencyKey: randomUUID(),
    fingerprint: createHash('sha256').update('body').digest(),
    priceCredits: 10,
    ledgerId: newLedgerId(),
    operation: 'agent_score',
    subjectId: listing.subjectId,
    leaseMs: 60_000,
    ...changes,
  };
}

async function hold(account: TestAccount, changes: Partial<ReserveInput> = {}): Promise<Reservation> {
  const run = await reserve(database, input(account, changes));
  if (!run) throw new Error('nothing was reserved');
  return run;
}

function score() {
  const subject = { id: listing.subjectId, type: 'agent', name: 'x', repository: listing.repository };
  const request = {
    operation: 'agent_score',
    runId: null,
    subject,
    facts: {},
    now: new Date(),
  } as unknown as ScoreRequest;
  return acceptScore(usableScore(request), request, 'stand-in');
}

async function accountWith(credits: number): Promise<TestAccount> {
  const account = await makeAccount(database);
  await giveCredits(database, account.accountId, credits);
  return account;
}

function grantFor(account: TestAccount, from: string, to: string, total: number): Promise<unknown> {
  return database.query(
    `WITH b AS (INSERT INTO credit_bucket (account_id, source, unit, period_kind, valid_from, valid_to, total)
       VALUES ($1, 'gifted', 'credit', 'grant', ledger_now() + $2::interval, ledger_now() + $3::interval, $4)
       RETURNING account_id, id, total)
     INSERT INTO bucket_entry (account_id, bucket_id, kind, d_total) SELECT account_id, id, 'grant', total FROM b`,
    [account.accountId, from, to, total],
  );
}

describe('a bucket pays', () => {
  it.each([
    ['before it begins', '1 second', '1 day'],
    ['after it has ended', '-1 day', '-1 microsecond'],
  ])('nothing %s', async (_when, from, to) => {
    const account = await makeAccount(database);
    await setClock(database, '2027-05-05T12:00:00Z');
    await grantFor(account, from, to, 100);

    expect(await loadBillingContext(database, input(account))).toMatchObject({ affordable: false });
    expect(await quote(database, account.accountId, 10)).toBeNull();
    expect(await reserve(database, input(account))).toBeNull();
  });

  it('before a bucket of the same source that expires later, even if that one is older; a quote agrees', async () => {
    const account = await makeAccount(database);
    await grantFor(account, '-1 day', '2 days', 100);
    await grantFor(account, '-1 day', '1 day', 200);
    await giveCredits(database, account.accountId, 300, 'purchased');

    expect((await quote(database, account.accountId, 10))?.balance.included_credits).toBe(200);
    const run = await hold(account);
    expect((await settle(database, run, 'agent', score()))?.balance.included_credits).toBe(200);
  });

  it('only for its own account', async () => {
    const [rich, poor] = [await accountWith(100), await makeAccount(database)];

    expect(await loadBillingContext(database, input(poor))).toMatchObject({ affordable: false });
    expect(await quote(database, poor.accountId, 10)).toBeNull();
    expect(await reserve(database, input(poor))).toBeNull();
    expect(await loadBillingContext(database, input(rich))).toMatchObject({ affordable: true });
  });

  it('only what it covers; calls that lost the race take the next bucket in the same statement', async () => {
    const account = await accountWith(70);
    await openPeriod(database, { ...account, ...FREE }, [{ source: 'free', unit: 'call', total: 5 }]);

    const runs = await Promise.all(Array.from({ length: 60 }, () => reserve(database, input(account))));

    const sources = runs.flatMap((run) => (run ? [run.source] : []));
    expect(sources.filter((source) => source === 'free')).toHaveLength(5);
    expect(sources.filter((source) => source === 'gifted')).toHaveLength(7);
  });
});

describe('a statement that waits for a bucket', () => {
  /**
   * Starts the work while the account's buckets are locked, checks the locks while it waits, then unlocks the
   * buckets.
   */
  async function whileWaiting<Result>(
    account: TestAccount,
    work: () => Promise<Result>,
    look: () => Promise<unknown>,
  ): Promise<Result> {
    const blocker = await database.sequelize.transaction();
    const bind = [account.accountId];
    const lock = 'SELECT 1 FROM credit_bucket WHERE account_id = $1 FOR NO KEY UPDATE';
    await database.sequelize.query(lock, { transaction: blocker, bind });
    const working = work();
    const waits = `SELECT 1 AS one FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while ((await database.query(waits)).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 10));
    await look().finally(() => blocker.commit());
    return working;
  }

  it.each([
    ['settle', 60_000, (run) => settle(database, run, 'agent', score())],
    ['fail', 60_000, (run) => fail(database, run, 'upstream')],
    ['reap', 1, (run) => reapBucket(database, run.accountId, run.bucketId)],
  ] as [string, number, (run: Reservation) => Promise<unknown>][])(
    '(%s) locks neither its run nor its subject yet: the lock order is bucket, run, subject',
    async (_name, leaseMs, end) => {
      const account = await accountWith(100);
      const run = await hold(account, { leaseMs });
      await new Promise((resolve) => setTimeout(resolve, 5));

      const ended = await whileWaiting(
        account,
        () => end(run),
        async () => {
          const held = `SELECT 1 AS one FROM usage_run r, subject s
            WHERE r.ledger_id = $1 AND s.id = r.subject_id FOR NO KEY UPDATE OF r, s NOWAIT`;
          expect(await database.query(held, [run.ledgerId])).toHaveLength(1);
        },
      );

      expect(ended).toBeTruthy();
    },
  );

  it('(reserve) takes the next bucket in the same statement if the first one was exhausted in the meantime', async () => {
    const account = await accountWith(100);
    await openPeriod(database, { ...account, ...FREE }, [{ source: 'free', unit: 'call', total: 1 }]);
    let second: ReturnType<typeof reserve> = Promise.resolve(null);

    const first = await inTransaction(database, async (connection) => {
      const taken = await reserve(connection, input(account));
      second = reserve(database, input(account));
      await untilBlocked(database, second);
      return taken;
    });

    expect([first?.source, (await second)?.source]).toEqual(['free', 'gifted']);
  });
});

describe('an idempotency key', () => {
  it('is independent of the same key in another account: body, state and attempts', async () => {
    const [one, two] = [await accountWith(100), await accountWith(100)];
    const shared = { idempotencyKey: 'shared' };
    await fail(database, await hold(one, shared), 'upstream');
    await settle(database, await hold(one, shared), 'agent', score());

    expect((await loadBillingContext(database, input(two, shared)))?.lastRun).toBeNull();
    const other = { ...shared, fingerprint: createHash('sha256').update('other').digest() };
    expect(await hold(two, other)).toMatchObject({ attempt: 1 });
  });

  it('is evaluated by its last attempt, however many there were', async () => {
    const account = await accountWith(100);
    const same = { idempotencyKey: 'k' };
    for (let attempt = 1; attempt <= 3; attempt++) {
      const run = await hold(account, same);
      expect(run.attempt).toBe(attempt);
      await fail(database, run, 'upstream');
    }
    const last = await hold(account, same);

    expect(await reserve(database, input(account, same))).toBeNull();
    await settle(database, last, 'agent', score());
    expect(await reserve(database, input(account, same))).toBeNull();
    expect((await loadBillingContext(database, input(account, same)))?.lastRun).toMatchObject({
      attempt: 4,
      state: 'settled',
    });
  });
});

describe('a run that has ended', () => {
  const ways: [string, (run: Reservation) => Promise<unknown>][] = [
    ['settled', (run) => settle(database, run, 'agent', score())],
    ['failed', (run) => fail(database, run, 'upstream')],
  ];

  it.each(ways)('%s never changes again', async (state, end) => {
    const account = await accountWith(100);
    const run = await hold(account);
    await end(run);
    const read = () => database.query('SELECT * FROM usage_run WHERE ledger_id = $1', [run.ledgerId]);
    const before = await read();

    expect(await settle(database, run, 'agent', score())).toBeNull();
    expect(await fail(database, run, 'upstream_timeout')).toBe(false);
    await setClock(database, new Date(Date.now() + 3_600_000).toISOString());
    expect(await reapBucket(database, run.accountId, run.bucketId)).toBe(0);
    expect(await reapAccount(database, run.accountId)).toBe(0);

    expect(before).toMatchObject([{ state }]);
    expect(await read()).toEqual(before);
  });

  it('cannot be ended with the id of another account or bucket', async () => {
    const [account, other] = [await accountWith(100), await accountWith(100)];
    const run = await hold(account);
    const foreign = await hold(other);

    expect(await settle(database, { ...run, accountId: other.accountId }, 'agent', score())).toBeNull();
    expect(await settle(database, { ...run, bucketId: foreign.bucketId }, 'agent', score())).toBeNull();
    expect(await fail(database, { ...run, accountId: other.accountId }, 'upstream')).toBe(false);
    expect(await fail(database, { ...run, bucketId: foreign.bucketId }, 'upstream')).toBe(false);
    expect(await settle(database, run, 'agent', score())).not.toBeNull();
  });
});

describe('a version', () => {
  it('increases even when the clock moves back', async () => {
    const account = await accountWith(100);
    await setClock(database, '2027-06-01T00:00:00.000000Z');
    const runs = [await hold(account), await hold(account)];
    const first = await settle(database, runs[0] as Reservation, 'agent', score());
    await setClock(database, '2027-05-31T23:59:59.000000Z');

    const second = await settle(database, runs[1] as Reservation, 'agent', score());

    expect(first?.scoreVersion).toBe('2027-06-01T00:00:00.000000Z');
    expect(second?.scoreVersion).toBe('2027-06-01T00:00:00.000001Z');
  });
});
