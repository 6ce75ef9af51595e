import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { replaceClock, setClock } from '../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import {
  credentialOf,
  giveCredits,
  makeAccount,
  makeKey,
  makeListing,
  type TestAccount,
  type TestListing,
} from '../../testing/factories.ts';
import { callOperation } from '../../testing/operations/call-operation.ts';
import { operationParts, requestFor } from '../../testing/operations/operation-parts.ts';
import {
  answer,
  answerAfter,
  answerWhenReleased,
  createStandIn,
  hang,
  refuse,
  type StandInBackend,
} from '../../testing/stand-ins/stand-in-backend.ts';
import { reapDue } from '../billing/ledger/reap.ts';
import { verifyLedger } from '../billing/ledger/verify.ts';
import type { Database } from '../platform/database/connect.ts';
import { DomainError } from '../platform/errors/domain-error.ts';
import type { OperationOutcome } from './run-operation.ts';

const TIMINGS = { holdMs: 20_000, attemptMs: 1_000, budgetMs: 20_000, retryAfterCapMs: 100, leaseMs: 3_000 };

let test: TestDatabase;
let database: Database;
let listing: TestListing;
let backend: StandInBackend;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 20 });
  database = test.database;
  await replaceClock(database);
  listing = await makeListing(database);
});
beforeEach(() => {
  backend = createStandIn();
});
afterEach(async () => {
  await setClock(database, null);
  expect((await verifyLedger(database)).bad).toEqual([]);
});
afterAll(() => test.close());

interface Changes {
  secret?: string;
  idempotencyKey?: string;
  subject?: string;
  leaseMs?: number;
}

function run(account: TestAccount, changes: Changes = {}): Promise<OperationOutcome> {
  const {
    secret = account.key.secret,
    idempotencyKey = randomUUID(),
    subject = listing.repository,
  } = changes;
  const timings = { ...TIMINGS, leaseMs: changes.leaseMs ?? TIMINGS.leaseMs };
  const parts = operationParts(database, { backend, timings });
  return callOperation(parts, credentialOf({ secret }), requestFor(subject, { idempotencyKey }));
}

/** Returns `settled`, `replay`, or the code of the refusal. */
function resultOf(call: Promise<OperationOutcome>): Promise<string> {
  return call.then(
    ({ kind }) => kind,
    (error) => (error instanceof DomainError ? error.code : Promise.reject(error)),
  );
}

/** Resolves once the account has a hold with an expired lease. */
async function untilLeaseOver({ accountId }: TestAccount): Promise<void> {
  const dead =
    "SELECT 1 FROM usage_run WHERE account_id = $1 AND state = 'reserved' AND lease_until <= ledger_now()";
  await expect.poll(() => database.query(dead, [accountId])).toHaveLength(1);
}

async function useFreeCalls(account: TestAccount, calls: number): Promise<void> {
  await Promise.all(Array.from({ length: calls }, () => run(account)));
}

describe('a call that loses the race for the last credits', () => {
  it('gets 402, never 503', async () => {
    const account = await makeAccount(database);
    await useFreeCalls(account, 23);
    backend.behave(answerAfter(300));

    const results = await Promise.all(Array.from({ length: 20 }, () => resultOf(run(account))));

    expect(results.filter((result) => result === 'settled')).toHaveLength(2);
    expect(results.filter((result) => result === 'insufficient_credits')).toHaveLength(18);
  });
});

describe('a hold', () => {
  it('with a valid lease cannot be spent, whatever dead holds another account has', async () => {
    const [account, other] = [await makeAccount(database), await makeAccount(database)];
    await useFreeCalls(account, 24);
    backend.behave(hang);
    const dead = resultOf(run(other, { leaseMs: 20 }));
    const living = resultOf(run(account));
    await expect.poll(() => backend.calls.length).toBe(26);
    await untilLeaseOver(other);
    backend.behave(answer);

    expect(await resultOf(run(account))).toBe('insufficient_credits');
    expect(await resultOf(run(account, { subject: 'nobody/nothing' }))).toBe('insufficient_credits');
    expect(await Promise.all([dead, living])).toEqual(['scoring_failed', 'scoring_failed']);
  });

  it('with an expired lease does not block a new attempt of its key if the balance suffices', async () => {
    const account = await makeAccount(database);
    backend.behave(hang);
    const dead = resultOf(run(account, { idempotencyKey: 'k', leaseMs: 20 }));
    await untilLeaseOver(account);
    backend.behave(answer);

    const outcome = await run(account, { idempotencyKey: 'k' });

    expect(outcome.kind).toBe('settled');
    expect(await dead).toBe('scoring_failed');
    expect(new Set(backend.calls).size).toBe(2);
  });

  it('that the reaper released while waiting for the backend is a 502 at once', async () => {
    const account = await makeAccount(database);
    const asked = answerWhenReleased();
    backend.behave(asked.behaviour);
    const call = resultOf(run(account, { leaseMs: 50 }));
    await untilLeaseOver(account);
    expect(await reapDue(database)).toBe(1);
    asked.tell();

    expect(await call).toBe('scoring_failed');
    expect(backend.calls).toHaveLength(1);
  });
});

describe('a key with twenty failures', () => {
  it('waits a full minute, then gets one attempt under concurrent requests', async () => {
    const account = await makeAccount(database);
    await setClock(database, '2027-07-07T07:00:00Z');
    backend.behave(refuse);
    for (let i = 0; i < 20; i++) await resultOf(run(account, { idempotencyKey: 'k' }));

    await setClock(database, '2027-07-07T07:00:59Z');
    expect(await resultOf(run(account, { idempotencyKey: 'k' }))).toBe('rate_limited');

    await setClock(database, '2027-07-07T07:01:01Z');
    backend.behave(answerAfter(300));
    const results = await Promise.all(
      Array.from({ length: 10 }, () => resultOf(run(account, { idempotencyKey: 'k' }))),
    );

    expect(results.filter((result) => result === 'settled')).toHaveLength(1);
    expect(results.filter((result) => result === 'idempotency_in_progress')).toHaveLength(9);
    expect(backend.calls).toHaveLength(21);
  });
});

describe('one idempotency key', () => {
  it('sent with two access keys of an account is one request', async () => {
    const account = await makeAccount(database, { plan: 'pro' });
    const second = await makeKey(database, account.accountId);
    backend.behave(answerAfter(200));

    const results = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        resultOf(run(account, { idempotencyKey: 'k', ...(i % 2 && { secret: second.secret }) })),
      ),
    );

    expect(results.filter((result) => result === 'settled')).toHaveLength(1);
    expect(backend.calls).toHaveLength(1);
    expect(await run(account, { idempotencyKey: 'k', secret: second.secret })).toMatchObject({
      kind: 'replay',
      run: { ledgerId: backend.calls[0] },
    });
  });

  it('repeated during its settlement is in progress or replayed, never run twice', async () => {
    const account = await makeAccount(database);
    await giveCredits(database, account.accountId, 10_000);
    for (let round = 0; round < 15; round++) {
      const idempotencyKey = randomUUID();
      const before = backend.calls.length;
      const results = await Promise.all(
        Array.from({ length: 12 }, async (_, i) => {
          await sleep(i * 3);
          return resultOf(run(account, { idempotencyKey }));
        }),
      );

      expect(backend.calls).toHaveLength(before + 1);
      expect(results.filter((result) => result === 'settled')).toHaveLength(1);
      for (const result of results)
        expect(['settled', 'replay', 'idempotency_in_progress']).toContain(result);
    }
  });
});

describe('a confirmed revocation', () => {
  it('is followed by no new run, while calls with the key arrive all the time', async () => {
    const account = await makeAccount(database, { plan: 'pro' });
    await giveCredits(database, account.accountId, 10_000);
    for (let round = 0; round < 5; round++) {
      const key = await makeKey(database, account.accountId);
      let answers = 0;
      let answered = false;
      let over = false;
      const late: string[] = [];
      const callers = Array.from({ length: 8 }, async () => {
        while (!over) {
          const isLate = answered;
          const result = await resultOf(run(account, { secret: key.secret }));
          answers += 1;
          if (isLate) late.push(result);
        }
      });
      await expect.poll(() => answers).toBeGreaterThan(0);
      await database.query('UPDATE access_key SET revoked_at = ledger_now() WHERE id = $1', [key.id]);
      answered = true;
      await expect.poll(() => late.length).toBeGreaterThan(0);
      over = true;
      await Promise.all(callers);

      expect(late.length).toBeGreaterThan(0);
      expect(new Set(late)).toEqual(new Set(['key_revoked']));
    }
  });
});
