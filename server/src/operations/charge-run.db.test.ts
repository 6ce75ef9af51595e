import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { STATEMENT_TEXT } from '../../testing/database-proxy.ts';
import { credentialOf, makeAccount, PLAN_BOOK } from '../../testing/factories.ts';
import { refusal, useOperations } from '../../testing/operations/operation-harness.ts';
import { requestFor } from '../../testing/operations/operation-parts.ts';
import { createSyncStandIn, usableScore } from '../../testing/stand-ins/stand-in-backend.ts';
import { createBatcher } from '../platform/batching/batcher.ts';
import { statementLimiter } from '../platform/batching/concurrency-control.ts';
import type { Database } from '../platform/database/connect.ts';
import { acceptScore } from '../scoring/scores/accept-score.ts';
import type { ScoreRequest } from '../scoring/scoring-backend.ts';
import { reloadBillingContext } from './call-context.ts';
import { chargeRun } from './charge-run.ts';
import { CallDeadlineExceededError, type Deadline } from './deadline.ts';
import { describeCall } from './operation-call.ts';
import type { LedgerParts } from './refusal-checks.ts';
import { createRunSignatures } from './run-signatures.ts';

const world = useOperations();
const atOnce = { backend: createSyncStandIn() };

/** Wraps the database and records the statements sent to it; `before` runs before each statement of the ledger. */
function watched(before: (sql: string) => Promise<void> = async () => undefined) {
  const sent: string[] = [];
  const query: Database['query'] = async (sql, bind) => {
    await before(sql);
    sent.push(sql);
    return world.database.query(sql, bind);
  };
  return { sent, database: { ...world.database, query } };
}

describe('a call with a synchronous backend', () => {
  it('is charged by one statement and never has an open run', async () => {
    const account = await makeAccount(world.database);
    const { sent, database } = watched();

    const outcome = await world.run(account, {}, { ...atOnce, database });

    expect(outcome).toMatchObject({
      kind: 'settled',
      source: 'free',
      score: { subjectId: world.listing.subjectId },
    });
    expect(sent.filter((sql) => sql.includes(STATEMENT_TEXT.charge))).toHaveLength(1);
    expect(sent.filter((sql) => sql.includes(STATEMENT_TEXT.reserve))).toEqual([]);
    expect(await world.totals(account)).toEqual({ runs: 1, used: 1, held: 0 });
  });

  it('with a key that was charged in the meantime is a replay and not charged again', async () => {
    const account = await makeAccount(world.database);
    const idempotencyKey = randomUUID();

    const calls = Array.from({ length: 5 }, () => world.run(account, { idempotencyKey }, atOnce));
    const kinds = (await Promise.all(calls)).map(({ kind }) => kind);

    expect(kinds.toSorted()).toEqual(['replay', 'replay', 'replay', 'replay', 'settled']);
    expect(await world.totals(account)).toEqual({ runs: 1, used: 1, held: 0 });
  });

  it('is refused if others spent the balance after the look-up', async () => {
    const account = await makeAccount(world.database);

    const calls = Array.from({ length: 30 }, () => refusal(world.run(account, {}, atOnce)));
    const words = await Promise.all(calls);

    expect(words.filter((word) => word === 'not refused')).toHaveLength(25);
    expect(words.filter((word) => word === 'insufficient_credits')).toHaveLength(5);
    expect(await world.totals(account)).toEqual({ runs: 25, used: 25, held: 0 });
  });

  it('opens nothing if its key was revoked after the look-up', async () => {
    const account = await makeAccount(world.database);
    const { database } = watched(async (sql) => {
      if (!sql.includes(STATEMENT_TEXT.charge)) return;
      await world.database.query('UPDATE access_key SET revoked_at = ledger_now() WHERE id = $1', [
        account.key.id,
      ]);
    });

    expect(await refusal(world.run(account, {}, { ...atOnce, database }))).toBe('key_revoked');
    expect(await world.totals(account)).toMatchObject({ runs: 0, used: 0 });
  });

  it.each([
    [
      'returns an unusable score',
      (request: ScoreRequest) => usableScore(request, { trust: 0, confidence: 0 }),
    ],
    [
      'fails',
      () => {
        throw new Error('no score');
      },
    ],
  ])('that %s is held, failed and released like any other', async (_how, scoreSync) => {
    const account = await makeAccount(world.database);
    const backend = createSyncStandIn(scoreSync);
    backend.behave(async (request) => scoreSync(request));
    const told: string[] = [];

    const call = world.run(
      account,
      {},
      { backend, onScoringFailure: (ledgerId) => void told.push(ledgerId) },
    );

    await expect(call).rejects.toMatchObject({ code: 'scoring_failed' });
    const { details } = await call.catch((error) => error);
    expect(told).toEqual([details.ledgerId]);
    expect(await world.totals(account)).toEqual({ runs: 1, used: 0, held: 0 });
  });
});

describe('a charge whose deadline passes', () => {
  async function chargeLate(withinDeadline: Deadline, until = Number.POSITIVE_INFINITY) {
    const account = await makeAccount(world.database);
    const call = describeCall(PLAN_BOOK, credentialOf(account.key), requestFor(world.listing.repository));
    const { database, sent } = watched();
    const found = await reloadBillingContext(database, PLAN_BOOK, call);
    sent.length = 0;
    const request = {
      operation: 'agent_score',
      runId: null,
      subject: {
        id: world.listing.subjectId,
        type: 'agent',
        name: 'x',
        repository: world.listing.repository,
      },
      facts: {},
      now: new Date(),
    } as unknown as ScoreRequest;
    const score = acceptScore(usableScore(request), request, 'stand-in');
    const doubts: unknown[] = [];
    const parts: LedgerParts = {
      database,
      planBook: PLAN_BOOK,
      onUnknownOutcome: (_, error) => void doubts.push(error),
    };
    const signatures = createRunSignatures(null, score);
    const charging = () =>
      chargeRun(parts, { ...call, until }, found, score, signatures, 60_000, withinDeadline);
    return { account, database, sent, charging, doubts };
  }

  const TOO_LATE: Deadline = Object.assign(() => Promise.reject(new CallDeadlineExceededError()), {
    until: 0,
  });

  it('after it was sent is awaited: an answer never says that nothing was charged when it was', async () => {
    const { account, charging } = await chargeLate(TOO_LATE);

    expect(await charging()).toMatchObject({ run: { source: 'free' }, replay: null });
    expect(await world.totals(account)).toEqual({ runs: 1, used: 1, held: 0 });
  });

  /** Fills the statement limit until the returned function is called. */
  async function fillRoom(database: Database) {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const fill = createBatcher<number, void>({
      run: async (items) => {
        await ended;
        return items.map(() => undefined);
      },
      partitionKeyOf: String,
      limiter: statementLimiter(database),
      maxBatch: 1,
    });
    const filled = Promise.all([fill(1), fill(2)]);
    await Promise.resolve();
    return async () => {
      end();
      await filled;
    };
  }

  it('before it was sent fails at once', async () => {
    const { database, charging, doubts } = await chargeLate(TOO_LATE);
    const end = await fillRoom(database);

    await expect(charging()).rejects.toBeInstanceOf(CallDeadlineExceededError);
    expect(doubts).toEqual([]);
    await end();
  });

  it('according to an early timer fails once nothing can be sent any more', async () => {
    const early = Object.assign(() => Promise.reject(new CallDeadlineExceededError()), {
      until: Number.POSITIVE_INFINITY,
    });
    const { account, database, sent, charging, doubts } = await chargeLate(early, 0);
    const end = await fillRoom(database);
    const told = charging().catch((error) => error);
    await end();

    expect(await told).toBeInstanceOf(CallDeadlineExceededError);
    expect([sent, doubts]).toEqual([[], []]);
    expect(await world.totals(account)).toMatchObject({ runs: 0, used: 0 });
  });
});
