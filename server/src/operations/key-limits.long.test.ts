import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { replaceClock, setClock } from '../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import {
  credentialOf,
  giveCredits,
  makeAccount,
  makeKey,
  makeListing,
  makeSession,
  PLAN_BOOK,
  type TestAccount,
  type TestListing,
} from '../../testing/factories.ts';
import { callOperation } from '../../testing/operations/call-operation.ts';
import { refusal } from '../../testing/operations/operation-harness.ts';
import { operationParts, requestFor } from '../../testing/operations/operation-parts.ts';
import { createStandIn, createSyncStandIn, hang, refuse } from '../../testing/stand-ins/stand-in-backend.ts';
import { untilBlocked } from '../../testing/until-blocked.ts';
import { replaceKey } from '../access/keys/create-key.ts';
import type { KeyLimits } from '../access/keys/key-fields.ts';
import { readKeySpending, setOwnKeyLimits } from '../billing/balance/key-limits.ts';
import { reapDue } from '../billing/ledger/reap.ts';
import { verifyLedger } from '../billing/ledger/verify.ts';
import { type Connection, connect, type Database } from '../platform/database/connect.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import type { OperationOutcome, OperationParts } from './run-operation.ts';

const NONE: KeyLimits = { calls: null, credits: null };
/** Two backends: calls of the first are charged in one statement, calls of the second are held and then settled. */
const BACKENDS = [
  ['in one statement', () => createSyncStandIn()],
  ['after a hold', () => createStandIn()],
] as const;

let test: TestDatabase;
let database: Database;
let other: Database;
let listing: TestListing;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 10 });
  database = test.database;
  // Another process, whose statements do not share the batches of the first.
  other = connect(test.url);
  await replaceClock(database);
  listing = await makeListing(database);
});
afterEach(async () => {
  await setClock(database, null);
  expect((await verifyLedger(database)).bad).toEqual([]);
});
afterAll(async () => {
  await other.close();
  await test.close();
});

async function limit(account: TestAccount, limits: KeyLimits, keyId = account.key.id): Promise<void> {
  const { sessionId } = await makeSession(database, account.accountId);
  await setOwnKeyLimits(database, sessionId, keyId, limits);
}

/** Replaces the key of an account, and returns the account with the new key. */
async function replace(account: TestAccount): Promise<TestAccount> {
  const { sessionId } = await makeSession(database, account.accountId);
  const made = await replaceKey(database, PLAN_BOOK, {
    sessionId,
    replacesKeyId: account.key.id,
    name: null,
    expiresAt: null,
  });
  return { ...account, key: { ...account.key, id: made.id, secret: made.secret } };
}

function call(
  account: TestAccount,
  changes: Partial<OperationParts> & { secret?: string; key?: string } = {},
): Promise<OperationOutcome> {
  const { secret = account.key.secret, key = randomUUID(), ...parts } = changes;
  const request = requestFor(listing.repository, { idempotencyKey: key });
  return callOperation(
    operationParts(changes.database ?? database, parts),
    credentialOf({ secret }),
    request,
  );
}

/** Sends calls from two processes at once, and counts their results. */
async function storm(
  account: TestAccount,
  calls: number,
  backend: OperationParts['backend'],
): Promise<Record<string, number>> {
  const words = await Promise.all(
    Array.from({ length: calls }, (_, number) =>
      refusal(call(account, { backend, database: number % 2 === 0 ? database : other })),
    ),
  );
  return Object.fromEntries(
    [...new Set(words)].map((word) => [word, words.filter((each) => each === word).length]),
  );
}

const spent = async ({ accountId, key }: TestAccount) => {
  const { calls, credits } = (await readKeySpending(database, accountId, key.id)) ?? {};
  return { calls, credits };
};

describe.each(BACKENDS)('a key with a limit, charged %s,', (_name, backendOf) => {
  it('settles exactly as many concurrent calls as it allows', async () => {
    const account = await makeAccount(database);
    await limit(account, { calls: 7, credits: null });

    expect(await storm(account, 40, backendOf())).toEqual({ 'not refused': 7, key_limit_exceeded: 33 });
    expect(await spent(account)).toEqual({ calls: 7, credits: 0 });
  });

  it('counts credits of all sources but free calls', async () => {
    const account = await makeAccount(database);
    await giveCredits(database, account.accountId, 1_000);
    await limit(account, { calls: null, credits: 45 });

    // 25 free calls, then four calls of 10 credits.
    expect(await storm(account, 40, backendOf())).toEqual({ 'not refused': 29, key_limit_exceeded: 11 });
    expect(await spent(account)).toEqual({ calls: 29, credits: 40 });
  });

  it('leaves other keys of the account alone, and keeps its replays', async () => {
    const account = await makeAccount(database, { plan: 'builder' });
    const second = await makeKey(database, account.accountId);
    await limit(account, { calls: 1, credits: null });
    const backend = backendOf();
    const key = randomUUID();
    await call(account, { backend, key });

    expect(await refusal(call(account, { backend }))).toBe('key_limit_exceeded');
    expect((await call(account, { backend, key })).kind).toBe('replay');
    expect((await call(account, { backend, secret: second.secret })).kind).toBe('settled');
  });

  it('may call again in the next month, and not before', async () => {
    const account = await makeAccount(database);
    await setClock(database, '2027-01-31T23:59:59Z');
    await limit(account, { calls: 2, credits: null });
    expect(await storm(account, 5, createSyncStandIn())).toEqual({ 'not refused': 2, key_limit_exceeded: 3 });

    await setClock(database, '2027-02-01T00:00:00Z');

    expect(await spent(account)).toEqual({ calls: 0, credits: 0 });
    expect(await storm(account, 5, createSyncStandIn())).toEqual({ 'not refused': 2, key_limit_exceeded: 3 });
  });

  it('counts what it spent before it was limited, and anew after a change', async () => {
    const account = await makeAccount(database);
    const backend = backendOf();
    expect(await storm(account, 4, backend)).toEqual({ 'not refused': 4 });

    await limit(account, { calls: 3, credits: null });
    expect(await refusal(call(account, { backend }))).toBe('key_limit_exceeded');
    await limit(account, NONE);
    expect(await storm(account, 2, backend)).toEqual({ 'not refused': 2 });
    await limit(account, { calls: 7, credits: null });

    expect(await storm(account, 5, backend)).toEqual({ 'not refused': 1, key_limit_exceeded: 4 });
  });

  it('hands its limit and what it has spent over to the key that replaces it', async () => {
    const account = await makeAccount(database);
    const backend = backendOf();
    await limit(account, { calls: 3, credits: null });
    expect(await storm(account, 2, backend)).toEqual({ 'not refused': 2 });

    const second = await replace(account);
    expect(await spent(second)).toEqual({ calls: 2, credits: 0 });
    expect(await storm(second, 5, backend)).toEqual({ 'not refused': 1, key_limit_exceeded: 4 });
    const third = await replace(second);
    await limit(third, { calls: 4, credits: null });

    expect(await storm(third, 5, backend)).toEqual({ 'not refused': 1, key_limit_exceeded: 4 });
    await limit(third, NONE);
    expect(await storm(third, 2, backend)).toEqual({ 'not refused': 2 });
    await limit(third, { calls: 7, credits: null });
    expect(await storm(third, 5, backend)).toEqual({ 'not refused': 1, key_limit_exceeded: 4 });
    expect(await spent(third)).toEqual({ calls: 7, credits: 0 });
  });

  it('counts calls of a replaced key that waited for a lock until the next month', async () => {
    const account = await makeAccount(database);
    await setClock(database, '2027-03-01T00:00:00Z');
    await limit(account, { calls: 3, credits: null });
    expect(await storm(account, 2, backendOf())).toEqual({ 'not refused': 2 });
    const second = await replace(account);
    await database.query('UPDATE access_key SET revoked_at = $2 WHERE id = $1', [
      account.key.id,
      '2027-02-28T23:59:59Z',
    ]);

    await limit(second, { calls: 3, credits: null });

    expect(await spent(second)).toEqual({ calls: 2, credits: 0 });
  });

  it('is set although a statement that stores last uses locks several of its keys', async () => {
    const account = await makeAccount(database);
    await limit(account, { calls: 3, credits: null });
    const second = await replace(account);
    const lockKey = (on: Connection, { key }: TestAccount) =>
      on.query('SELECT 1 FROM access_key WHERE id = $1 FOR NO KEY UPDATE', [key.id]);

    const setting = await inTransaction(database, async (calls) => {
      await calls.query('SELECT pg_advisory_xact_lock_shared(limit_lock_key($1))', [account.key.id]);
      const limiting = limit(second, { calls: 4, credits: null });
      await untilBlocked(database, limiting);
      const using = inTransaction(other, async (uses) => {
        // So that the transaction that sets the limit would find a deadlock, and fail.
        await uses.query("SET LOCAL deadlock_timeout = '100s'");
        await lockKey(uses, account);
        await lockKey(uses, second);
      });
      await untilBlocked(database, using, 2);
      return { limiting, using };
    });

    await setting.limiting;
    await setting.using;
    const limits = await readKeySpending(database, account.accountId, second.key.id);
    expect(limits?.monthlyCalls).toBe(4);
  });

  it('settles no more calls than it allows while it is replaced', async () => {
    for (let round = 0; round < 5; round += 1) {
      const account = await makeAccount(database);
      await limit(account, { calls: 9, credits: null });
      const calls = storm(account, 6, backendOf());
      const second = await replace(account);
      const later = await storm(second, 20, backendOf());
      const { 'not refused': before = 0 } = await calls;

      // A call that is refused for another reason, such as the revoked key, spends nothing.
      expect(before + (later['not refused'] ?? 0)).toBe(9);
      expect(await spent(second)).toEqual({ calls: 9, credits: 0 });
    }
  });

  it('is never exceeded while it is being set', async () => {
    for (let round = 0; round < 5; round += 1) {
      const account = await makeAccount(database);
      const calls = storm(account, 20, backendOf());
      await limit(account, { calls: 1, credits: null });
      const before = await spent(account);
      await calls;

      // Calls counted before the limit of one call was set may exceed it. After that, none is added beyond the first call.
      expect((await spent(account)).calls).toBe(Math.max(before.calls ?? 0, 1));
    }
  });
});

describe('a key with a limit', () => {
  it('gets back what a failed call held', async () => {
    const account = await makeAccount(database);
    await limit(account, { calls: 1, credits: null });

    for (let time = 0; time < 3; time += 1)
      expect(await refusal(call(account, { backend: createStandIn(refuse) }))).toBe('scoring_failed');

    expect(await spent(account)).toEqual({ calls: 0, credits: 0 });
    expect((await call(account)).kind).toBe('settled');
  });

  it('gets back what a dead call held, before another call is refused for it', async () => {
    const account = await makeAccount(database);
    await limit(account, { calls: 1, credits: null });
    const timings = { holdMs: 20_000, attemptMs: 1_000, budgetMs: 1_000, retryAfterCapMs: 50, leaseMs: 20 };
    const dead = refusal(call(account, { backend: createStandIn(hang), timings }));
    const over = 'SELECT FROM open_run WHERE account_id = $1 AND lease_until <= ledger_now()';
    await expect.poll(() => database.query(over, [account.accountId])).toHaveLength(1);

    expect((await call(account)).kind).toBe('settled');
    await dead;
    await reapDue(database);
    expect(await spent(account)).toEqual({ calls: 1, credits: 0 });
  });

  it('counts a call once if the clock steps back while it runs, onto the time at which it began', async () => {
    const account = await makeAccount(database);
    await limit(account, { calls: 9, credits: null });
    for (const microseconds of [0, 1, 2, 3]) {
      await setClock(database, '2027-03-10T12:00:00Z');
      const backend = createStandIn(async (request, signal) => {
        const began = "SELECT utc_text(max(created_at) - $1 * interval '1 microsecond') AS at FROM open_run";
        const [run] = await database.query<{ at: string }>(began, [microseconds]);
        await setClock(database, run?.at ?? null);
        return createStandIn().score(request, signal);
      });
      expect((await call(account, { backend })).kind).toBe('settled');
    }

    await setClock(database, '2027-03-10T12:00:00Z');
    expect(await spent(account)).toEqual({ calls: 4, credits: 0 });
  });

  it('gets back what a failed call of a replaced key held, unless its limit was removed', async () => {
    for (const limits of [{ calls: 5, credits: null }, NONE]) {
      const account = await makeAccount(database);
      await limit(account, { calls: 1, credits: null });
      let fail: () => void = () => undefined;
      const asked = new Promise<void>((isAsked) => {
        const backend = createStandIn(async (request, signal) => {
          isAsked();
          await new Promise<void>((resolve) => {
            fail = resolve;
          });
          return refuse(request, signal);
        });
        void failing.push(refusal(call(account, { backend })));
      });
      await asked;
      const second = await replace(account);
      await limit(second, limits);

      fail();
      expect(await failing.pop()).toBe('scoring_failed');

      expect(await spent(second)).toEqual({ calls: 0, credits: 0 });
      expect((await call(second)).kind).toBe('settled');
      await limit(second, { calls: 1, credits: null });
      expect(await spent(second)).toEqual({ calls: 1, credits: 0 });
    }
  });

  it('finishes a call in progress after its limit was lowered', async () => {
    const account = await makeAccount(database);
    await limit(account, { calls: 5, credits: null });
    let finish: () => void = () => undefined;
    const asked = new Promise<void>((isAsked) => {
      const backend = createStandIn(async (request, signal) => {
        isAsked();
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return createStandIn().score(request, signal);
      });
      void calls.push(call(account, { backend }));
    });
    await asked;

    await limit(account, { calls: 0, credits: null });
    finish();

    expect((await calls.pop())?.kind).toBe('settled');
    expect(await spent(account)).toEqual({ calls: 1, credits: 0 });
    expect(await refusal(call(account))).toBe('key_limit_exceeded');
  });
});

/** Calls in progress of a test, and the refusals of those that fail. */
const calls: Promise<OperationOutcome>[] = [];
const failing: Promise<string>[] = [];
