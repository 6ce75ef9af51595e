import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import {
  credentialOf,
  makeAccount,
  makeListing,
  PLAN_BOOK,
  type TestAccount,
  type TestListing,
} from '../../testing/factories.ts';
import { type LossyLine, openLossyLine } from '../../testing/lossy-line.ts';
import { callOperation } from '../../testing/operations/call-operation.ts';
import {
  answer,
  createStandIn,
  refuse,
  type StandInBackend,
} from '../../testing/stand-ins/stand-in-backend.ts';
import { untilBlocked } from '../../testing/until-blocked.ts';
import { connect, type Database } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { verifyLedger } from '../ledger/verify.ts';
import { createNaming } from '../subjects/naming.ts';
import type { OperationOutcome } from './run-operation.ts';

/** Text that only the reserving, the settling or the failing statement holds. */
const RESERVE = 'INSERT INTO open_run';
const SETTLE = "'settled', ledger_now()";
const FAIL = "'failed', code";

let test: TestDatabase;
let line: LossyLine;
let broken: Database;
let listing: TestListing;
let account: TestAccount;
let backend: StandInBackend;

beforeAll(async () => {
  test = await createTestDatabase();
  line = await openLossyLine(test.url);
  broken = connect(line.url);
  listing = await makeListing(test.database);
});
beforeEach(async () => {
  account = await makeAccount(test.database);
  backend = createStandIn();
});
afterEach(async () => {
  line.mend();
  expect((await verifyLedger(test.database)).bad).toEqual([]);
});
afterAll(async () => {
  await broken.close();
  await line.close();
  await test.close();
});

function call(idempotencyKey: string, database: Database = broken): Promise<OperationOutcome> {
  return callOperation(
    {
      database,
      planBook: PLAN_BOOK,
      backend,
      naming: createNaming('http://127.0.0.1:4000'),
      timings: { holdMs: 2_200, attemptMs: 1000, budgetMs: 2000, retryAfterCapMs: 100, leaseMs: 30_000 },
      onDoubt: () => undefined,
      onScoringFailure: () => undefined,
    },
    credentialOf(account.key),
    {
      operation: 'agent_score',
      subject: listing.repository,
      channel: 'api',
      idempotencyKey,
      apiKeyId: null,
      dryRun: false,
    },
  );
}

async function failureOf(work: Promise<unknown>): Promise<DomainError> {
  const error = await work.catch((thrown) => thrown);
  if (!(error instanceof DomainError)) throw error;
  return error;
}

function runs(): Promise<{ ledger_id: string; state: string }[]> {
  return test.database.query(
    'SELECT ledger_id, state FROM usage_run WHERE account_id = $1 ORDER BY attempt',
    [account.accountId],
  );
}

describe('a statement whose answer never came', () => {
  it.each([
    ['reserve', RESERVE, 'request'],
    ['reserve', RESERVE, 'answer'],
    ['settle', SETTLE, 'request'],
    ['settle', SETTLE, 'answer'],
  ] as const)(
    '%s (%s, lost: %s) is read back: the call succeeds, asks once and is charged once',
    async (_name, at, loss) => {
      line.breakAt(at, loss, 'works');

      const outcome = await call(randomUUID());

      if (outcome.kind !== 'settled') throw new Error(outcome.kind);
      expect(backend.calls).toEqual([outcome.ledgerId]);
      expect(await runs()).toEqual([{ ledger_id: outcome.ledgerId, state: 'settled' }]);
      expect(outcome.settled.balance.included_used).toBe(1);
    },
  );

  it.each(['request', 'answer'] as const)(
    'of a reversal (lost: %s) is read back before a 502 says so',
    async (loss) => {
      backend.behave(refuse);
      line.breakAt(FAIL, loss, 'works');

      const failure = await failureOf(call(randomUUID()));

      expect(failure.code).toBe('scoring_failed');
      expect(await runs()).toEqual([{ ledger_id: failure.details.ledgerId, state: 'failed' }]);
    },
  );
});

describe('a database that stays away after', () => {
  it.each(['request', 'answer'] as const)(
    'the hold (lost: %s): 503, the backend is not asked',
    async (loss) => {
      const key = randomUUID();
      line.breakAt(RESERVE, loss, 'dead');

      const failure = await failureOf(call(key));

      expect(failure).toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 5 } });
      expect(backend.calls).toEqual([]);
      expect((await runs()).map(({ state }) => state)).toEqual(loss === 'request' ? [] : ['reserved']);
    },
  );

  it.each(['request', 'answer'] as const)(
    'the settle (lost: %s): 503 with the receipt, and the same key tells the truth',
    async (loss) => {
      const key = randomUUID();
      line.breakAt(SETTLE, loss, 'dead');

      const failure = await failureOf(call(key));
      line.mend();

      expect(failure).toMatchObject({ code: 'unavailable', details: { ledgerId: backend.calls[0] } });
      if (loss === 'answer') {
        expect(await call(key, test.database)).toMatchObject({
          kind: 'replay',
          run: { ledgerId: backend.calls[0] },
        });
      } else {
        expect((await failureOf(call(key, test.database))).code).toBe('idempotency_in_progress');
      }
      expect(backend.calls).toHaveLength(1);
    },
  );

  it.each(['request', 'answer'] as const)(
    'the reversal (lost: %s): never a 502 that nobody confirmed',
    async (loss) => {
      const key = randomUUID();
      backend.behave(refuse);
      line.breakAt(FAIL, loss, 'dead');

      const failure = await failureOf(call(key));
      line.mend();
      backend.behave(answer);

      expect(failure).toMatchObject({ code: 'unavailable', details: { ledgerId: backend.calls[0] } });
      expect((await runs()).map(({ state }) => state)).toEqual([loss === 'request' ? 'reserved' : 'failed']);
    },
  );
});

describe('sessions that the server ends while they wait', () => {
  it('for the bucket: the hold and the settle are tried again', async () => {
    const key = randomUUID();
    await call(randomUUID());
    const blocker = await test.database.sequelize.transaction();
    await test.database.sequelize.query('SELECT 1 FROM credit_bucket WHERE account_id = $1 FOR UPDATE', {
      transaction: blocker,
      bind: [account.accountId],
    });
    const waiting = call(key);
    await untilBlocked(test.database, waiting);
    const ended = await test.database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
    );
    await blocker.rollback();

    expect(ended).toHaveLength(1);
    expect(await waiting).toMatchObject({ kind: 'settled' });
    expect((await runs()).map(({ state }) => state)).toEqual(['settled', 'settled']);
  });

  it('for the bucket, while their statement goes on: the hold that it makes later is found, not made twice', async () => {
    await call(randomUUID());
    const blocker = await test.database.sequelize.transaction();
    await test.database.sequelize.query('SELECT 1 FROM credit_bucket WHERE account_id = $1 FOR UPDATE', {
      transaction: blocker,
      bind: [account.accountId],
    });
    line.breakAt(RESERVE, 'line', 'works');
    const waiting = call(randomUUID());
    await untilBlocked(test.database, waiting);
    await blocker.rollback();

    const outcome = await waiting;

    if (outcome.kind !== 'settled') throw new Error(outcome.kind);
    expect((await runs()).map(({ state }) => state)).toEqual(['settled', 'settled']);
    expect(backend.calls.at(-1)).toBe(outcome.ledgerId);
    expect(backend.calls).toHaveLength(2);
  });
});
