import { createHash, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../database/connect.ts';
import { errorCode } from '../database/database-errors.ts';
import { inTransaction } from '../database/transaction.ts';
import { hashSecret } from '../keys/secret.ts';
import { acceptScore } from '../scoring/accept-score.ts';
import type { ScoreRequest } from '../scoring/scoring-backend.ts';
import { replaceClock, setClock, shiftClock } from '../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import {
  giveCredits,
  makeAccount,
  makeListing,
  type TestAccount,
  type TestListing,
} from '../testing/factories.ts';
import { usableScore } from '../testing/stand-in-backend.ts';
import { fail } from './fail.ts';
import { lookUp } from './look-up.ts';
import { openPeriod } from './open-period.ts';
import { readRun } from './read-run.ts';
import { reapAccount, reapDue } from './reap.ts';
import { newLedgerId, type Reservation, type ReserveInput, reserve } from './reserve.ts';
import { settle } from './settle.ts';
import { verifyLedger } from './verify.ts';

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
  expect((await verifyLedger(database)).bad).toEqual([]);
});
afterAll(() => test.close());

const BODY = createHash('sha256').update('body').digest();

function input(account: TestAccount, changes: Partial<ReserveInput> = {}): ReserveInput {
  return {
    keyHash: hashSecret(account.key.secret),
    keyId: account.key.id,
    scope: 'scores:read',
    idempotencyKey: randomUUID(),
    fingerprint: BODY,
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
  const request = {
    operation: 'agent_score',
    runId: null,
    subject: { id: listing.subjectId, type: 'agent', name: 'x', repository: listing.repository },
    facts: {},
    now: new Date(),
  } as unknown as ScoreRequest;
  return acceptScore(usableScore(request), request, 'stand-in');
}

interface Bucket {
  source: string;
  total: number;
  used: number;
  held: number;
}

function buckets(account: TestAccount): Promise<Bucket[]> {
  return database.query<Bucket>(
    'SELECT source, total, used, held FROM credit_bucket WHERE account_id = $1 ORDER BY prio, valid_to, id',
    [account.accountId],
  );
}

async function accountWith(credits: number): Promise<TestAccount> {
  const account = await makeAccount(database);
  await giveCredits(database, account.accountId, credits);
  return account;
}

describe('reserve', () => {
  it('holds the amount, opens the run and writes its entry in one statement', async () => {
    const account = await accountWith(25);

    const run = await hold(account);

    expect(run).toMatchObject({ source: 'gifted', amount: 10, attempt: 1 });
    expect(await buckets(account)).toEqual([{ source: 'gifted', total: 25, used: 0, held: 10 }]);
    expect(await readRun(database, account.accountId, run.ledgerId)).toMatchObject({
      state: 'reserved',
      leaseOver: false,
    });
  });

  it('takes free calls first, then the grant that expires first, each call whole from one bucket', async () => {
    const account = await makeAccount(database);
    await giveCredits(database, account.accountId, 10);
    await database.query(
      `WITH b AS (INSERT INTO credit_bucket (account_id, source, unit, period_kind, valid_from, valid_to, total)
         VALUES ($1, 'gifted', 'credit', 'grant', ledger_now(), ledger_now() + interval '1 day', 15) RETURNING account_id, id, total)
       INSERT INTO ledger_entry (account_id, bucket_id, kind, d_total) SELECT account_id, id, 'grant', total FROM b`,
      [account.accountId],
    );
    await openPeriod(database, account.accountId, [{ source: 'free', unit: 'call', total: 1 }]);

    const sources = [await hold(account), await hold(account), await hold(account)].map((run) => [
      run.source,
      run.amount,
    ]);

    expect(sources).toEqual([
      ['free', 1],
      ['gifted', 10],
      ['gifted', 10],
    ]);
    expect(await buckets(account)).toEqual([
      { source: 'free', total: 1, used: 0, held: 1 },
      { source: 'gifted', total: 15, used: 0, held: 10 },
      { source: 'gifted', total: 10, used: 0, held: 10 },
    ]);
    expect(await reserve(database, input(account))).toBeNull();
  });

  it('lets exactly the calls that fit through when many race for the last credits', async () => {
    const account = await accountWith(70);

    const outcomes = await Promise.all(Array.from({ length: 60 }, () => reserve(database, input(account))));

    expect(outcomes.filter(Boolean)).toHaveLength(7);
    expect(await buckets(account)).toEqual([{ source: 'gifted', total: 70, used: 0, held: 70 }]);
  });

  it('opens one run when many race with one idempotency key', async () => {
    const account = await accountWith(1000);
    const idempotencyKey = randomUUID();

    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, () => reserve(database, input(account, { idempotencyKey }))),
    );

    const opened = outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value !== null);
    const losers = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(opened).toHaveLength(1);
    expect(losers.every((loser) => errorCode(loser.reason)?.code === '23505')).toBe(true);
    expect(await buckets(account)).toEqual([{ source: 'gifted', total: 1000, used: 0, held: 10 }]);
  });

  it.each([
    ['revoked', 'revoked_at = ledger_now()'],
    ['paused', 'paused_at = ledger_now()'],
    ['expired', 'expires_at = ledger_now()'],
    ['without the scope', "scopes = '{agents:register}'"],
  ])('opens nothing for a key that is %s, whatever was looked up before', async (_state, change) => {
    const account = await accountWith(100);
    await database.query(`UPDATE access_key SET ${change} WHERE id = $1`, [account.key.id]);

    expect(await reserve(database, input(account))).toBeNull();
    expect(await buckets(account)).toEqual([{ source: 'gifted', total: 100, used: 0, held: 0 }]);
  });

  it('opens nothing for a key whose last run had another body or has not failed', async () => {
    const account = await accountWith(100);
    const run = await hold(account, { idempotencyKey: 'once' });
    const other = createHash('sha256').update('other').digest();

    expect(await reserve(database, input(account, { idempotencyKey: 'once' }))).toBeNull();
    await fail(database, run, 'upstream');
    expect(
      await reserve(database, input(account, { idempotencyKey: 'once', fingerprint: other })),
    ).toBeNull();
    expect(await hold(account, { idempotencyKey: 'once' })).toMatchObject({ attempt: 2 });
  });
});

describe('ending a run', () => {
  it('charges on settle, stores the score and advances subject and listing to one version', async () => {
    const account = await accountWith(25);
    const run = await hold(account);

    const settled = await settle(database, run, 'agent', score());

    expect(settled?.balance).toMatchObject({ period_kind: 'grant', included_credits: 25, included_used: 10 });
    expect(await buckets(account)).toEqual([{ source: 'gifted', total: 25, used: 10, held: 0 }]);
    const [row] = await database.query<{ current: string; listed: string; ledger_id: string }>(
      `SELECT utc_text(s.current_version) AS current, utc_text(l.score_version) AS listed, c.ledger_id FROM subject s
       JOIN listing l ON l.subject_id = s.id JOIN score c ON c.subject_id = s.id AND c.version = s.current_version WHERE s.id = $1`,
      [listing.subjectId],
    );
    expect(row).toEqual({
      current: settled?.scoreVersion,
      listed: settled?.scoreVersion,
      ledger_id: run.ledgerId,
    });
  });

  it('gives the hold back on failure and keeps the failed record', async () => {
    const account = await accountWith(25);
    const run = await hold(account);

    expect(await fail(database, run, 'upstream')).toBe(true);

    expect(await buckets(account)).toEqual([{ source: 'gifted', total: 25, used: 0, held: 0 }]);
    expect(await readRun(database, account.accountId, run.ledgerId)).toMatchObject({ state: 'failed' });
    expect(await fail(database, run, 'upstream')).toBe(false);
  });

  it('has one winner when settle, settle, fail and the reaper race', async () => {
    const account = await accountWith(10_000);
    for (let round = 0; round < 40; round++) {
      const run = await hold(account, { leaseMs: 15 });

      const outcomes = await Promise.allSettled([
        settle(database, run, 'agent', score()),
        settle(database, run, 'agent', score()),
        fail(database, run, 'upstream'),
        new Promise((resolve) => setTimeout(resolve, 10)).then(() =>
          reapAccount(database, account.accountId),
        ),
      ]);

      const errors = outcomes.flatMap((each) => (each.status === 'rejected' ? [errorCode(each.reason)] : []));
      for (const error of errors)
        expect(error).toEqual({ code: '23514', constraint: 'settled_before_lease' });
      await reapAccount(database, account.accountId);
      const stored = await readRun(database, account.accountId, run.ledgerId);
      const settles = outcomes
        .slice(0, 2)
        .filter((outcome) => outcome.status === 'fulfilled' && outcome.value !== null);
      expect(settles).toHaveLength(stored?.state === 'settled' ? 1 : 0);
    }
  });

  it('never settles after the lease, even when the guard was passed before a lock wait', async () => {
    const account = await accountWith(100);
    const run = await hold(account, { leaseMs: 300 });
    let locked = () => {};
    const isLocked = new Promise<void>((resolve) => {
      locked = resolve;
    });
    const blocker = inTransaction(database, async (connection) => {
      await connection.query('SELECT 1 AS one FROM credit_bucket WHERE account_id = $1 FOR UPDATE', [
        account.accountId,
      ]);
      locked();
      await new Promise((resolve) => setTimeout(resolve, 500));
    });
    await isLocked;

    const outcome = await settle(database, run, 'agent', score()).catch((error) => errorCode(error));
    await blocker;

    expect([null, { code: '23514', constraint: 'settled_before_lease' }]).toContainEqual(outcome);
    expect(await reapAccount(database, account.accountId)).toBe(1);
    expect(await buckets(account)).toEqual([{ source: 'gifted', total: 100, used: 0, held: 0 }]);
  });

  it('gives every one of many racing settles of a subject a version of its own', async () => {
    const accounts = await Promise.all(Array.from({ length: 8 }, () => accountWith(500)));

    const settled = await Promise.all(
      accounts.flatMap((account) =>
        Array.from({ length: 20 }, async () => settle(database, await hold(account), 'agent', score())),
      ),
    );

    const versions = settled.map((each) => each?.scoreVersion);
    expect(new Set(versions).size).toBe(160);
    const [row] = await database.query<{ listed: string }>(
      'SELECT utc_text(score_version) AS listed FROM listing WHERE subject_id = $1',
      [listing.subjectId],
    );
    expect(row?.listed).toBe(versions.sort().at(-1));
  });

  it('refuses a score for a subject of another type and charges nothing', async () => {
    const account = await accountWith(100);
    const run = await hold(account);

    expect(await settle(database, run, 'skill', score())).toBeNull();
    expect(await buckets(account)).toEqual([{ source: 'gifted', total: 100, used: 0, held: 10 }]);
    await fail(database, run, 'upstream');
  });
});

describe('the reaper', () => {
  it('ends only runs whose lease is over, and two at once are harmless', async () => {
    const account = await accountWith(1000);
    const short = await Promise.all(Array.from({ length: 30 }, () => hold(account, { leaseMs: 1 })));
    const long = await hold(account);
    await new Promise((resolve) => setTimeout(resolve, 20));

    const reaped = await Promise.all([reapDue(database), reapDue(database)]);

    expect(reaped[0] + reaped[1]).toBe(short.length);
    expect(await buckets(account)).toEqual([{ source: 'gifted', total: 1000, used: 0, held: 10 }]);
    await fail(database, long, 'upstream');
  });

  it('does not keep the others waiting for a bucket that somebody holds', async () => {
    const accounts = await Promise.all(Array.from({ length: 4 }, () => accountWith(100)));
    for (const account of accounts) await hold(account, { leaseMs: 1 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const [first] = accounts.map(({ accountId }) => accountId).sort();

    await inTransaction(database, async (connection) => {
      await connection.query('SELECT 1 AS one FROM credit_bucket WHERE account_id = $1 FOR UPDATE', [first]);
      await expect(reapDue(database)).rejects.toThrow();
    });

    const open = await database.query(
      "SELECT account_id FROM usage_run WHERE state = 'reserved' AND lease_until <= ledger_now()",
    );
    expect(open).toEqual([{ account_id: first }]);
    expect(await reapDue(database)).toBe(1);
  });

  it('takes a bucket with more dead runs than one statement ends', async () => {
    const account = await accountWith(6000);
    for (let i = 0; i < 11; i++)
      await Promise.all(Array.from({ length: 50 }, () => hold(account, { leaseMs: 1 })));
    await new Promise((resolve) => setTimeout(resolve, 20));

    expect(await reapAccount(database, account.accountId)).toBe(550);
    expect(await buckets(account)).toEqual([{ source: 'gifted', total: 6000, used: 0, held: 0 }]);
  });
});

describe('periods', () => {
  it('opens one bucket with one grant entry however many ask at once', async () => {
    const account = await makeAccount(database);

    await Promise.all(
      Array.from({ length: 50 }, () =>
        openPeriod(database, account.accountId, [{ source: 'free', unit: 'call', total: 25 }]),
      ),
    );

    expect(await buckets(account)).toEqual([{ source: 'free', total: 25, used: 0, held: 0 }]);
  });

  it('charges the period that was reserved from, even when it rolled before the settle', async () => {
    await setClock(database, '2027-01-31T23:59:59.900Z');
    const account = await makeAccount(database);
    await openPeriod(database, account.accountId, [{ source: 'free', unit: 'call', total: 25 }]);
    const run = await hold(account);

    await setClock(database, '2027-02-01T00:00:00.500Z');
    await openPeriod(database, account.accountId, [{ source: 'free', unit: 'call', total: 25 }]);
    const settled = await settle(database, run, 'agent', score());

    expect(settled?.balance.period_start).toBe('2027-01-01T00:00:00.000000Z');
    expect((await buckets(account)).map(({ used }) => used)).toEqual([1, 0]);
    await setClock(database, null);
  });

  it('says which of the running month are open, and forgets them when the month is over', async () => {
    const account = await makeAccount(database);
    const call = { ...input(account), priceCredits: 10 };
    await openPeriod(database, account.accountId, [{ source: 'free', unit: 'call', total: 25 }]);
    expect(await lookUp(database, call)).toMatchObject({ openPeriods: ['free'], affordable: true });

    await shiftClock(database, '40 days');
    expect(await lookUp(database, call)).toMatchObject({ openPeriods: [], affordable: false });
    await setClock(database, null);
  });
});

describe('what is kept', () => {
  it.each([
    ['a change of an entry', 'UPDATE ledger_entry SET d_total = d_total + 1'],
    ['the loss of an entry', 'DELETE FROM ledger_entry'],
    ['the loss of a receipt', 'DELETE FROM usage_run'],
    ['a change of a stored score', 'UPDATE score SET trust = 100'],
  ])('refuses %s', async (_what, statement) => {
    await expect(database.query(statement)).rejects.toThrow(/not allowed/);
  });

  it('finds a balance that differs from its entries', async () => {
    const other = await createTestDatabase();
    const account = await makeAccount(other.database);
    await giveCredits(other.database, account.accountId, 5);
    await other.database.query('UPDATE credit_bucket SET used = 1 WHERE account_id = $1', [
      account.accountId,
    ]);

    const { bad } = await verifyLedger(other.database);

    expect(bad.map(({ problem }) => problem)).toEqual([
      'bucket differs from the sum of its entries',
      'used differs from the settled runs',
    ]);
    await other.close();
  });
});
