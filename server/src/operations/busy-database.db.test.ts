import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from 'sequelize';
import { describe, expect, it } from 'vitest';
import { makeAccount } from '../../testing/factories.ts';
import { useOperations } from '../../testing/operations/operation-harness.ts';
import { isDatabaseAway } from '../database/database-errors.ts';
import { TooLate } from './deadline.ts';

const world = useOperations();
/** Of the world's database. */
const POOL_SIZE = 20;
const LONGEST_WAIT_MS = 2_500;

/** A transaction that keeps others waiting until it is rolled back. */
async function keepWaiting(lock: string): Promise<Transaction> {
  const blocker = await world.database.sequelize.transaction();
  await world.database.sequelize.query(lock, { transaction: blocker });
  return blocker;
}

async function refusedAfter(call: Promise<unknown>) {
  const begun = performance.now();
  const error = await call.then(
    () => null,
    (thrown) => thrown,
  );
  return { error, ms: performance.now() - begun };
}

async function untilEnded(accountId: string): Promise<unknown[]> {
  for (;;) {
    const runs = await world.database.query<{ state: string }>(
      'SELECT state, fail_code FROM usage_run WHERE account_id = $1 ORDER BY ledger_id',
      [accountId],
    );
    if (runs.length > 0 && runs.every(({ state }) => state !== 'reserved')) return runs;
    await sleep(20);
  }
}

const UNAVAILABLE = { code: 'unavailable', details: { retryAfterSeconds: 2 } };

// A machine that stands still for a moment does so once; what waits too long does so every time.
const RETRIES = { retry: 2 };

describe('a call that waits for a lock', RETRIES, () => {
  it('is told to try again in time, and what it opens later is given back at once', async () => {
    const account = await makeAccount(world.database);
    await world.run(account, { dryRun: true });
    const blocker = await keepWaiting(
      `SELECT 1 FROM credit_bucket WHERE account_id = '${account.accountId}' FOR UPDATE`,
    );
    const idempotencyKey = randomUUID();

    const { error, ms } = await refusedAfter(world.run(account, { idempotencyKey }));
    await blocker.rollback();
    const runs = await untilEnded(account.accountId);
    const retried = await world.run(account, { idempotencyKey });

    expect(error).toMatchObject(UNAVAILABLE);
    expect(ms).toBeLessThan(LONGEST_WAIT_MS);
    expect(runs).toEqual([{ state: 'failed', fail_code: 'abandoned' }]);
    expect(retried.kind).toBe('settled');
    expect(await world.totals(account)).toEqual({ runs: 2, used: 1, held: 0 });
    expect(world.backend.calls).toHaveLength(1);
  });

  it.each([
    ['a lock that is given up', 1_200],
    ['one given up after its statement had to be sent again', 1_900],
  ])('for %s goes on as if nothing had been', async (_name, heldMs) => {
    const account = await makeAccount(world.database);
    await world.run(account, { dryRun: true });
    const blocker = await keepWaiting(
      `SELECT 1 FROM credit_bucket WHERE account_id = '${account.accountId}' FOR UPDATE`,
    );

    const waiting = world.run(account);
    await sleep(heldMs);
    await blocker.rollback();

    expect((await waiting).kind).toBe('settled');
    expect(await world.totals(account)).toEqual({ runs: 1, used: 1, held: 0 });
  });
});

describe('a call that waits for a session', RETRIES, () => {
  it('is told to try again in time, and opens nothing', async () => {
    const account = await makeAccount(world.database);
    await world.run(account, { dryRun: true });
    const taken = Array.from({ length: POOL_SIZE }, () => world.database.query('SELECT pg_sleep(2.7)'));

    const { error, ms } = await refusedAfter(world.run(account));
    await Promise.all(taken);

    // The pool's own limit may come first; the caller is told the same of it.
    expect(isDatabaseAway(error) || error instanceof TooLate).toBe(true);
    expect(ms).toBeLessThan(LONGEST_WAIT_MS);
    expect(await world.totals(account)).toMatchObject({ runs: 0, held: 0 });
  });
});
