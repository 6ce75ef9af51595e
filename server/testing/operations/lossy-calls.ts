import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { connect, type Database } from '../../src/database/connect.ts';
import { DomainError } from '../../src/domain-error.ts';
import { verifyLedger } from '../../src/ledger/verify.ts';
import type { OperationOutcome } from '../../src/operations/run-operation.ts';
import type { ScoringBackend } from '../../src/scoring/scoring-backend.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { credentialOf, makeAccount, makeListing, type TestAccount, type TestListing } from '../factories.ts';
import { type LossyLine, openLossyLine } from '../lossy-line.ts';
import { callOperation } from './call-operation.ts';
import { operationParts, requestFor } from './operation-parts.ts';

/** Metered calls over a line to the database that breaks where it is told; after each test the ledger must be whole. */
export function useLossyCalls(backendOf: () => ScoringBackend) {
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

  return {
    /** Past the line. */
    get database() {
      return test.database;
    },
    get line() {
      return line;
    },
    get accountId() {
      return account.accountId;
    },
    get doubted() {
      return doubted;
    },
    call(idempotencyKey: string, database: Database = broken): Promise<OperationOutcome> {
      const parts = operationParts(database, {
        backend: backendOf(),
        timings: { holdMs: 2_200, attemptMs: 1000, budgetMs: 2000, retryAfterCapMs: 100, leaseMs: 30_000 },
        onDoubt: (ledgerId) => void doubted.push(ledgerId),
      });
      return callOperation(
        parts,
        credentialOf(account.key),
        requestFor(listing.repository, { idempotencyKey }),
      );
    },
    runs(): Promise<{ ledger_id: string; state: string }[]> {
      return test.database.query(
        'SELECT ledger_id, state FROM usage_run WHERE account_id = $1 ORDER BY attempt',
        [account.accountId],
      );
    },
  };
}

/** The refusal that work ends with. */
export async function failureOf(work: Promise<unknown>): Promise<DomainError> {
  const error = await work.catch((thrown) => thrown);
  if (!(error instanceof DomainError)) throw error;
  return error;
}
