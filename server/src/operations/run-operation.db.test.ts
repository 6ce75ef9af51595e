import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { hashSecret } from '../keys/secret.ts';
import { verifyLedger } from '../ledger/verify.ts';
import { BackendBusy } from '../scoring/backend-busy.ts';
import { createNaming } from '../subjects/naming.ts';
import { replaceClock, setClock } from '../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import {
  giveCredits,
  makeAccount,
  makeListing,
  PLAN_BOOK,
  type TestAccount,
  type TestListing,
} from '../testing/factories.ts';
import {
  answer,
  answerAfter,
  createStandIn,
  hang,
  refuse,
  type StandInBackend,
  usableScore,
} from '../testing/stand-in-backend.ts';
import type { OperationRequest } from './operation-call.ts';
import { type OperationOutcome, type OperationParts, runOperation } from './run-operation.ts';

let test: TestDatabase;
let database: Database;
let listing: TestListing;
let backend: StandInBackend;
let parts: OperationParts;

// The deployed times at a twentieth.
const TIMINGS = { attemptMs: 1000, budgetMs: 2250, retryAfterCapMs: 250, leaseMs: 3000 };

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 20 });
  database = test.database;
  await replaceClock(database);
  listing = await makeListing(database);
});
beforeEach(() => {
  backend = createStandIn();
  parts = {
    database,
    planBook: PLAN_BOOK,
    backend,
    naming: createNaming('http://127.0.0.1:4000'),
    timings: TIMINGS,
    onDoubt: () => undefined,
    onScoringFailure: () => undefined,
  };
});
afterEach(async () => {
  await setClock(database, null);
  expect((await verifyLedger(database)).bad).toEqual([]);
});
afterAll(() => test.close());

function run(
  account: TestAccount,
  changes: Partial<OperationRequest> = {},
  change: Partial<OperationParts> = {},
): Promise<OperationOutcome> {
  const request: OperationRequest = {
    operation: 'agent_score',
    subject: listing.repository,
    channel: 'api',
    idempotencyKey: randomUUID(),
    apiKeyId: null,
    dryRun: false,
    ...changes,
  };
  const caller = { keyHash: hashSecret(account.key.secret), identified: async () => undefined };
  return runOperation({ ...parts, ...change }, caller, request);
}

/** The code that a call is refused with. */
async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  return 'not refused';
}

interface Totals {
  runs: number;
  used: number;
  held: number;
}

async function totals(account: TestAccount): Promise<Totals> {
  const [row] = await database.query<Totals>(
    `SELECT (SELECT count(*)::int FROM usage_run WHERE account_id = $1) AS runs,
       coalesce(sum(used), 0)::int AS used, coalesce(sum(held), 0)::int AS held FROM credit_bucket WHERE account_id = $1`,
    [account.accountId],
  );
  return row as Totals;
}

describe('a first call', () => {
  it('is scored, paid with one free call, and advances the record that the directory shows', async () => {
    const account = await makeAccount(database);

    const outcome = await run(account);

    if (outcome.kind !== 'settled') throw new Error(outcome.kind);
    expect(outcome).toMatchObject({
      source: 'free',
      subject: { id: listing.subjectId, agentId: listing.agentId },
    });
    expect(outcome.settled.balance).toMatchObject({
      period_kind: 'month',
      included_credits: 25,
      included_used: 1,
    });
    expect(backend.calls).toEqual([outcome.ledgerId]);
    const [row] = await database.query(
      'SELECT trust, utc_text(score_version) AS version FROM listing WHERE subject_id = $1',
      [listing.subjectId],
    );
    expect(row).toEqual({ trust: 61.5, version: outcome.settled.scoreVersion });
  });

  it('finds the same subject by every spelling', async () => {
    const account = await makeAccount(database);
    const spellings = [
      listing.repository.toUpperCase(),
      `https://github.com/${listing.repository}.git`,
      listing.agentId,
      listing.subjectId,
    ];

    for (const subject of spellings) {
      expect(await run(account, { subject })).toMatchObject({ subject: { id: listing.subjectId } });
    }
  });

  it('is paid whole from the first source that can', async () => {
    const account = await makeAccount(database, { plan: 'builder' });
    await giveCredits(database, account.accountId, 15, 'gifted');

    const sources: string[] = [];
    for (let i = 0; i < 27; i++) {
      const outcome = await run(account);
      if (outcome.kind === 'settled') sources.push(outcome.source);
    }

    expect(sources.slice(0, 25).every((source) => source === 'free')).toBe(true);
    expect(sources.slice(25)).toEqual(['gifted', 'included']);
  });
});

describe('a repeated call', () => {
  it('is answered again without the backend, without a charge, with an empty balance and a vanished subject', async () => {
    const account = await makeAccount(database);
    const gone = await makeListing(database);
    const first = await run(account, { idempotencyKey: 'k', subject: gone.repository });
    for (let i = 0; i < 24; i++) await run(account);
    await database.query('DELETE FROM subject_alias WHERE subject_id = $1', [gone.subjectId]);
    const before = await totals(account);
    backend.calls.length = 0;

    const repeats = await Promise.all(
      Array.from({ length: 20 }, () =>
        run(account, { idempotencyKey: 'k', subject: ` ${gone.repository} ` }),
      ),
    );

    for (const repeat of repeats) {
      expect(repeat).toMatchObject({
        kind: 'replay',
        run: { ledgerId: first.kind === 'settled' && first.ledgerId },
      });
    }
    expect(backend.calls).toEqual([]);
    expect(await totals(account)).toEqual(before);
    expect(await refusal(run(account))).toBe('insufficient_credits');
  });

  it('with another body is refused, before and after it settled, and tells nothing of the first', async () => {
    const account = await makeAccount(database);
    const other = await makeListing(database);
    await run(account, { idempotencyKey: 'k' });

    expect(await refusal(run(account, { idempotencyKey: 'k', subject: other.repository }))).toBe(
      'idempotency_key_reused',
    );
    expect(await totals(account)).toEqual({ runs: 1, used: 1, held: 0 });
  });

  it('belongs to the account: another account may use the same key', async () => {
    const [one, two] = [await makeAccount(database), await makeAccount(database)];
    await run(one, { idempotencyKey: 'k' });

    expect(await run(two, { idempotencyKey: 'k' })).toMatchObject({ kind: 'settled' });
  });

  it('under way is told so, and one of many at once asks the backend', async () => {
    const account = await makeAccount(database);
    backend.behave(answerAfter(150));

    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, () => run(account, { idempotencyKey: 'k' })),
    );

    const settled = outcomes.filter((each) => each.status === 'fulfilled' && each.value.kind === 'settled');
    const refused = outcomes.flatMap((each) =>
      each.status === 'rejected' ? [each.reason as DomainError] : [],
    );
    expect(settled).toHaveLength(1);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['idempotency_in_progress']));
    expect(refused[0]?.details).toMatchObject({ ledgerId: backend.calls[0], retryAfterSeconds: 2 });
    expect(backend.calls).toHaveLength(1);
  });
});

describe('a backend that gives no usable score', () => {
  it.each([
    ['fails', refuse],
    ['does not answer in time', hang],
    ['answers nonsense', async () => 'ok'],
    ['answers with an incomplete score', async (request) => usableScore(request, { status: 'incomplete' })],
    [
      'answers zero twice',
      async (request) => usableScore(request, { trust: 0, confidence: 0, lowerBound: 0 }),
    ],
    ['answers with another type', async (request) => usableScore(request, { subjectType: 'skill' })],
    ['answers with no number', async (request) => usableScore(request, { trust: Number.NaN })],
    ['answers above 100', async (request) => usableScore(request, { trust: 100.1 })],
  ] as [string, Parameters<StandInBackend['behave']>[0]][])(
    'that %s costs nothing, and the same key may try again',
    async (_name, behaviour) => {
      const account = await makeAccount(database);
      backend.behave(behaviour);

      const failure = (await run(account, { idempotencyKey: 'k' }).catch((error) => error)) as DomainError;

      expect(failure).toMatchObject({ code: 'scoring_failed', details: { ledgerId: backend.calls[0] } });
      expect(await totals(account)).toEqual({ runs: 1, used: 0, held: 0 });
      backend.behave(answer);
      const again = await run(account, { idempotencyKey: 'k' });
      expect(again).toMatchObject({ kind: 'settled' });
      expect(again.kind === 'settled' && again.ledgerId).not.toBe(failure.details.ledgerId);
      expect(await totals(account)).toEqual({ runs: 2, used: 1, held: 0 });
    },
  );

  it('is asked once more after a 429, within the cap', async () => {
    const account = await makeAccount(database);
    backend.behave(async (request) => {
      if (backend.calls.length === 1) throw new BackendBusy(60_000);
      return usableScore(request);
    });

    expect(await run(account)).toMatchObject({ kind: 'settled' });
    expect(new Set(backend.calls).size).toBe(1);
  });

  it('pauses a key after twenty failures to one attempt a minute', async () => {
    const account = await makeAccount(database);
    backend.behave(refuse);
    for (let i = 0; i < 20; i++)
      expect(await refusal(run(account, { idempotencyKey: 'k' }))).toBe('scoring_failed');

    expect(await refusal(run(account, { idempotencyKey: 'k' }))).toBe('rate_limited');

    await setClock(database, new Date(Date.now() + 61_000).toISOString());
    expect(await refusal(run(account, { idempotencyKey: 'k' }))).toBe('scoring_failed');
    expect(backend.calls).toHaveLength(21);
  });

  it('that answers after the lease is fenced: nothing is charged', async () => {
    const account = await makeAccount(database);
    backend.behave(answerAfter(300));

    const code = await refusal(run(account, {}, { timings: { ...TIMINGS, leaseMs: 100 } }));

    expect(code).toBe('scoring_failed');
    expect(await totals(account)).toEqual({ runs: 1, used: 0, held: 0 });
  });
});

describe('a hold whose lease is over', () => {
  it("stands in nobody's way: the same key runs again, and its amount can be spent", async () => {
    const account = await makeAccount(database);
    for (let i = 0; i < 24; i++) await run(account);
    // A process that died after the hold: it never settles.
    backend.behave(hang);
    const dead = run(account, { idempotencyKey: 'k' }, { timings: { ...TIMINGS, leaseMs: 50 } }).catch(
      (error) => error,
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    backend.behave(answer);

    expect(await run(account, { idempotencyKey: 'k' })).toMatchObject({ kind: 'settled' });
    expect(await refusal(run(account))).toBe('insufficient_credits');
    expect(await dead).toMatchObject({ code: 'scoring_failed' });
  });

  it('is given back on demand for another key of the account', async () => {
    const account = await makeAccount(database);
    for (let i = 0; i < 24; i++) await run(account);
    backend.behave(hang);
    const dead = run(account, {}, { timings: { ...TIMINGS, leaseMs: 50 } }).catch((error) => error);
    await new Promise((resolve) => setTimeout(resolve, 200));
    backend.behave(answer);

    expect(await run(account)).toMatchObject({ kind: 'settled' });
    await dead;
  });
});

describe('what is refused', () => {
  it('writes nothing and asks nobody', async () => {
    const account = await makeAccount(database);
    await run(account);
    const before = await totals(account);
    backend.calls.length = 0;
    const foreign = await makeAccount(database);
    const stranger: TestAccount = { ...account, key: { ...account.key, secret: 'svc_live_unknown' } };

    expect(await refusal(run(stranger))).toBe('unauthorized');
    expect(await refusal(run(account, { apiKeyId: foreign.key.id }))).toBe('key_mismatch');
    expect(await refusal(run(account, { operation: 'creator_score', subject: '@someone' }))).toBe(
      'unavailable',
    );
    expect(await refusal(run(account, { subject: 'nobody/nothing' }))).toBe('subject_not_found');
    expect(await refusal(run(account, { operation: 'skill_score' }))).toBe('subject_not_found');

    expect(await totals(account)).toEqual(before);
    expect(backend.calls).toEqual([]);
  });

  it('an ambiguous name lists its candidates', async () => {
    const account = await makeAccount(database);
    const [one, two] = [
      await makeListing(database, { name: 'same-name' }),
      await makeListing(database, { name: 'same-name' }),
    ];

    const error = (await run(account, { subject: 'same-name' }).catch((thrown) => thrown)) as DomainError;

    expect(error.code).toBe('subject_ambiguous');
    expect(error.details.candidates?.map((each) => each.canonical_id).sort()).toEqual(
      [one.subjectId, two.subjectId].sort(),
    );
  });

  it.each([
    ['revoked_at = ledger_now()', 'key_revoked'],
    ['paused_at = ledger_now()', 'key_paused'],
    ['expires_at = ledger_now()', 'key_expired'],
    ["scopes = '{lineage:read}'", 'insufficient_scope'],
  ])('a key with %s, for a replay too', async (change, code) => {
    const account = await makeAccount(database);
    await run(account, { idempotencyKey: 'k' });
    await database.query(`UPDATE access_key SET ${change} WHERE id = $1`, [account.key.id]);

    expect(await refusal(run(account, { idempotencyKey: 'k' }))).toBe(code);
    expect(await refusal(run(account))).toBe(code);
  });
});

describe('a dry run', () => {
  it('tells price, source and balance, and leaves no trace', async () => {
    const account = await makeAccount(database);

    const outcome = await run(account, { dryRun: true, idempotencyKey: 'k' });

    expect(outcome).toMatchObject({
      kind: 'quote',
      priceCredits: 10,
      source: 'free',
      balance: { included_used: 0 },
    });
    expect(await totals(account)).toEqual({ runs: 0, used: 0, held: 0 });
    expect(await run(account, { idempotencyKey: 'k' })).toMatchObject({ kind: 'settled' });
    expect(await run(account, { dryRun: true, idempotencyKey: 'k' })).toMatchObject({ kind: 'quote' });
  });

  it('is refused like the call itself', async () => {
    const account = await makeAccount(database);
    for (let i = 0; i < 25; i++) await run(account);

    expect(await refusal(run(account, { dryRun: true }))).toBe('insufficient_credits');
  });
});

describe('midnight on the first of a month', () => {
  it('refuses none of fifty clients and opens one bucket', async () => {
    await setClock(database, '2027-03-31T23:59:59.000Z');
    const account = await makeAccount(database, { plan: 'pro' });
    for (let i = 0; i < 25; i++) await run(account);
    await setClock(database, '2027-04-01T00:00:00.000Z');

    const outcomes = await Promise.all(Array.from({ length: 50 }, () => run(account)));

    const sources = outcomes.map((outcome) => outcome.kind === 'settled' && outcome.source);
    expect(sources.filter((source) => source === 'free')).toHaveLength(25);
    expect(sources.filter((source) => source === 'included')).toHaveLength(25);
    const april = await database.query(
      "SELECT source FROM credit_bucket WHERE account_id = $1 AND valid_from = '2027-04-01T00:00Z'",
      [account.accountId],
    );
    expect(april).toHaveLength(2);
  });
});
