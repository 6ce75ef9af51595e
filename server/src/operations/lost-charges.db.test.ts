import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { STATEMENT_TEXT } from '../../testing/database-line.ts';
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
import { createStandInAtOnce } from '../../testing/stand-ins/stand-in-backend.ts';
import { untilBlocked } from '../../testing/until-blocked.ts';
import { connect, type Database } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { verifyLedger } from '../ledger/verify.ts';
import { createNaming } from '../subjects/naming.ts';
import type { OperationOutcome } from './run-operation.ts';

const CHARGE = STATEMENT_TEXT.charge;

let test: TestDatabase;
let line: LossyLine;
let broken: Database;
let listing: TestListing;
let account: TestAccount;
/** The runs of which the log was told that the stored state decides. */
let doubted: string[];

beforeAll(async () => {
  test = await createTestDatabase();
  line = await openLossyLine(test.url);
  broken = connect(line.url);
  listing = await makeListing(test.database);
});
beforeEach(async () => {
  account = await makeAccount(test.database);
  doubted = [];
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
      backend: createStandInAtOnce(),
      naming: createNaming('http://127.0.0.1:4000'),
      timings: { holdMs: 2_200, attemptMs: 1000, budgetMs: 2000, retryAfterCapMs: 100, leaseMs: 30_000 },
      onDoubt: (ledgerId) => void doubted.push(ledgerId),
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

describe('a charge of a score that was known before', () => {
  it.each(['request', 'answer', 'line'] as const)(
    '(lost: %s) is read back: the call succeeds and is charged once',
    async (loss) => {
      line.breakAt(CHARGE, loss, 'works');

      const outcome = await call(randomUUID());

      if (outcome.kind !== 'settled') throw new Error(outcome.kind);
      expect(await runs()).toEqual([{ ledger_id: outcome.ledgerId, state: 'settled' }]);
      expect(outcome.settled.balance.included_used).toBe(1);
      expect(doubted).toContain(outcome.ledgerId);
      const [stored] = await test.database.query(
        'SELECT utc_text(score_version) AS version FROM ended_run WHERE ledger_id = $1',
        [outcome.ledgerId],
      );
      expect(stored).toEqual({ version: outcome.settled.scoreVersion });
    },
  );

  it.each(['request', 'answer'] as const)(
    '(lost: %s) of a database that stays away is a 503, and the same key tells the truth',
    async (loss) => {
      const key = randomUUID();
      line.breakAt(CHARGE, loss, 'dead');

      const failure = await failureOf(call(key));
      line.mend();

      expect(failure).toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 5 } });
      const kind = loss === 'answer' ? 'replay' : 'settled';
      expect(await call(key, test.database)).toMatchObject({ kind });
      expect((await runs()).map(({ state }) => state)).toEqual(['settled']);
    },
  );

  it('is found where its statement went on after the line was lost, not made twice', async () => {
    await call(randomUUID());
    const blocker = await test.database.sequelize.transaction();
    await test.database.sequelize.query('SELECT 1 FROM credit_bucket WHERE account_id = $1 FOR UPDATE', {
      transaction: blocker,
      bind: [account.accountId],
    });
    line.breakAt(CHARGE, 'line', 'works');
    const waiting = call(randomUUID());
    // The lost one, and the one that is sent again.
    await untilBlocked(test.database, waiting, 2);
    await blocker.rollback();

    const outcome = await waiting;

    if (outcome.kind !== 'settled') throw new Error(outcome.kind);
    expect((await runs()).map(({ state }) => state)).toEqual(['settled', 'settled']);
    expect((await runs()).map(({ ledger_id }) => ledger_id)).toContain(outcome.ledgerId);
    expect(outcome.settled.balance.included_used).toBe(2);
  });
});
