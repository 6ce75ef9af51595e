import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from 'sequelize';
import { describe, expect, it } from 'vitest';
import { describeAtNight } from '../../testing/at-night.ts';
import { createBarrier } from '../../testing/barrier.ts';
import { makeAccount, type TestAccount } from '../../testing/factories.ts';
import { sampleUnlessNightly } from '../../testing/nightly.ts';
import { TIMINGS, useOperations } from '../../testing/operations/operation-harness.ts';
import { isDatabaseUnavailable } from '../platform/database/database-errors.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { CallDeadlineExceededError } from './deadline.ts';

const world = useOperations();
/** Connections to the test database. */
const POOL_SIZE = 20;
/** Far above the deadline of HASTY, so that only a call without a deadline reaches it. */
const LONGEST_WAIT_MS = 20_000;
const MOST_TRIES = 8;
const POLL_MS = 5;
/** Timings of a call that is refused soon: the deployed deadline. */
const HASTY = { ...TIMINGS, holdMs: 2_200 };

/** Opens a transaction that takes this lock, which blocks others until it is rolled back. */
async function keepWaiting(lock: string): Promise<Transaction> {
  const blocker = await world.database.sequelize.transaction();
  await world.database.sequelize.query(lock, { transaction: blocker });
  return blocker;
}

/** Returns the error with which a call is refused, or a text if it is not refused within LONGEST_WAIT_MS. */
function refusal(call: Promise<unknown>): Promise<unknown> {
  const refused = call.then(
    () => null,
    (thrown) => thrown,
  );
  return Promise.race([refused, sleep(LONGEST_WAIT_MS, 'not refused in time')]);
}

/** Resolves once this many different statements have been observed waiting for a lock. */
async function untilWaited(statements: number): Promise<void> {
  const seen = new Set<string>();
  while (seen.size < statements) {
    const rows = await world.database.query<{ begun: string }>(
      `SELECT query_start::text AS begun FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    for (const { begun } of rows) seen.add(begun);
    await sleep(POLL_MS);
  }
}

/** Counts other sessions with a statement in progress. */
async function countActive(): Promise<number> {
  const [row] = await world.database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()`,
  );
  return row?.count ?? 0;
}

/** Returns the runs of an account once all have ended and no statement can open another. */
async function untilEnded(accountId: string): Promise<{ state: string }[]> {
  for (;;) {
    const active = await countActive();
    const runs = await world.database.query<{ state: string }>(
      'SELECT state, fail_code FROM usage_run WHERE account_id = $1 ORDER BY ledger_id',
      [accountId],
    );
    const nothingComes = runs.length === 0 && active === 0;
    if (nothingComes || (runs.length > 0 && runs.every(({ state }) => state !== 'reserved'))) return runs;
    await sleep(POLL_MS);
  }
}

const lockBucketOf = (account: TestAccount) =>
  `SELECT 1 FROM credit_bucket WHERE account_id = '${account.accountId}' FOR UPDATE`;

/**
 * Makes a call that is refused while another transaction delays its hold; returns the refusal and the runs that it
 * leaves.
 */
async function refuseWaiting() {
  const account = await makeAccount(world.database);
  await world.run(account, { dryRun: true });
  const blocker = await keepWaiting(lockBucketOf(account));
  const idempotencyKey = randomUUID();
  const error = await refusal(world.run(account, { idempotencyKey }, { timings: HASTY }));
  await blocker.rollback();
  return { account, idempotencyKey, error, runs: await untilEnded(account.accountId) };
}

const UNAVAILABLE = { code: 'unavailable', details: { retryAfterSeconds: 2 } };

describe('a call that waits for a lock', () => {
  it('is told to retry within its deadline, and a run opened later is released at once', async () => {
    let refused = await refuseWaiting();
    // On a stalled machine the deadline may pass before the hold is sent. The hold then opens no run, so try again.
    for (let tries = 1; refused.runs.length === 0 && tries < MOST_TRIES; tries += 1)
      refused = await refuseWaiting();
    const { account, idempotencyKey, error, runs } = refused;
    const retried = await world.run(account, { idempotencyKey });

    expect(error).toMatchObject(UNAVAILABLE);
    expect(runs).toEqual([{ state: 'failed', fail_code: 'abandoned' }]);
    expect(retried.kind).toBe('settled');
    expect(await world.totals(account)).toEqual({ runs: 2, used: 1, held: 0 });
    expect(world.backend.calls).toHaveLength(1);
  });

  it.each(
    sampleUnlessNightly(
      [
        ['a lock that is given up', 1],
        ['one given up after its statement had to be sent again', 2],
      ],
      ([, statements]) => statements === 2,
    ),
  )('for %s succeeds as usual afterwards', async (_name, statements) => {
    const account = await makeAccount(world.database);
    await world.run(account, { dryRun: true });
    const blocker = await keepWaiting(lockBucketOf(account));

    const waiting = world.run(account);
    await untilWaited(statements);
    await blocker.rollback();

    expect((await waiting).kind).toBe('settled');
    expect(await world.totals(account)).toEqual({ runs: 1, used: 1, held: 0 });
  });
});

describeAtNight('a call that waits for a session', () => {
  it('is told to retry within its deadline, and opens nothing', async () => {
    const account = await makeAccount(world.database);
    await world.run(account, { dryRun: true });
    const allTaken = createBarrier(POOL_SIZE + 1);
    let release = () => {};
    const over = new Promise<void>((resolve) => {
      release = resolve;
    });
    const taken = Array.from({ length: POOL_SIZE }, () =>
      inTransaction(world.database, () => allTaken().then(() => over)),
    );
    await allTaken();

    const error = await refusal(world.run(account, {}, { timings: HASTY }));
    release();
    await Promise.all(taken);

    // The pool's timeout may fire first; the caller gets the same answer.
    expect(isDatabaseUnavailable(error) || error instanceof CallDeadlineExceededError).toBe(true);
    expect(await world.totals(account)).toMatchObject({ runs: 0, held: 0 });
  });
});
