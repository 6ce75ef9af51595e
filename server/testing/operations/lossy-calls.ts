import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { verifyLedger } from '../../src/billing/ledger/verify.ts';
import type { OperationOutcome, OperationParts } from '../../src/operations/run-operation.ts';
import { connect, type Database } from '../../src/platform/database/connect.ts';
import { DomainError } from '../../src/platform/errors/domain-error.ts';
import type { ScoringBackend } from '../../src/scoring/scoring-backend.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { credentialOf, makeAccount, makeListing, type TestAccount, type TestListing } from '../factories.ts';
import { type LossyProxy, openLossyProxy } from '../lossy-proxy.ts';
import { callOperation } from './call-operation.ts';
import { operationParts, requestFor } from './operation-parts.ts';

/** Runs metered calls over a database connection that breaks on demand; verifies the ledger after each test. */
export function useLossyCalls(backendOf: () => ScoringBackend) {
  let test: TestDatabase;
  let line: LossyProxy;
  let broken: Database;
  let listing: TestListing;
  let account: TestAccount;
  /** Runs that were logged with an unknown outcome. */
  let doubted: string[];

  beforeAll(async () => {
    test = await createTestDatabase();
    line = await openLossyProxy(test.url);
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
    /** Direct connection, which does not break. */
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
    call(
      idempotencyKey: string,
      database: Database = broken,
      change: Partial<OperationParts> = {},
    ): Promise<OperationOutcome> {
      const parts = operationParts(database, {
        backend: backendOf(),
        // A deadline that no call reaches, even where a lost answer is read back on a loaded machine.
        timings: { holdMs: 20_000, attemptMs: 1000, budgetMs: 2000, retryAfterCapMs: 100, leaseMs: 30_000 },
        onUnknownOutcome: (ledgerId) => void doubted.push(ledgerId),
        ...change,
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

/** Returns the error with which the work fails. */
export async function failureOf(work: Promise<unknown>): Promise<DomainError> {
  const error = await work.catch((thrown) => thrown);
  if (!(error instanceof DomainError)) throw error;
  return error;
}
