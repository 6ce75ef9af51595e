import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { verifyLedger } from '../../src/billing/ledger/verify.ts';
import type { OperationRequest } from '../../src/operations/operation-call.ts';
import type { OperationOutcome, OperationParts } from '../../src/operations/run-operation.ts';
import type { Database } from '../../src/platform/database/connect.ts';
import { DomainError } from '../../src/platform/errors/domain-error.ts';
import type { Credential } from '../../src/platform/http/credentials/principal.ts';
import { replaceClock, setClock } from '../clock.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { credentialOf, makeListing, type TestAccount, type TestListing } from '../factories.ts';
import { createStandIn, type StandInBackend } from '../stand-ins/stand-in-backend.ts';
import { callOperation } from './call-operation.ts';
import { operationParts, requestFor } from './operation-parts.ts';

/**
 * Deployed timings divided by 20, except the deadline for sessions and locks: it is so long that no call of a test
 * reaches it on a loaded machine.
 */
export const TIMINGS = {
  holdMs: 20_000,
  attemptMs: 1000,
  budgetMs: 2250,
  retryAfterCapMs: 250,
  leaseMs: 3000,
};

interface Totals {
  runs: number;
  used: number;
  held: number;
}

/** A database with one listed agent, and a backend controlled by the test, created anew for each test. */
export interface OperationWorld {
  readonly database: Database;
  readonly listing: TestListing;
  readonly backend: StandInBackend;
  /** Runs a call with this credential for the listing, unless `changes` say otherwise. */
  runAs(
    credential: Credential,
    changes?: Partial<OperationRequest>,
    change?: Partial<OperationParts>,
  ): Promise<OperationOutcome>;
  /** Runs a call with the account's key. */
  run(
    account: TestAccount,
    changes?: Partial<OperationRequest>,
    change?: Partial<OperationParts>,
  ): Promise<OperationOutcome>;
  /** Number of runs of the account, and used and held over all its buckets. */
  totals(account: { accountId: string }): Promise<Totals>;
}

/** Sets up the database for a test file; verifies the ledger's invariants after each test. */
export function useOperations(): OperationWorld {
  let test: TestDatabase;
  let listing: TestListing;
  let backend: StandInBackend;
  beforeAll(async () => {
    test = await createTestDatabase({ poolSize: 20 });
    await replaceClock(test.database);
    listing = await makeListing(test.database);
  });
  beforeEach(() => {
    backend = createStandIn();
  });
  afterEach(async () => {
    await setClock(test.database, null);
    expect((await verifyLedger(test.database)).bad).toEqual([]);
  });
  afterAll(() => test.close());

  const runAs: OperationWorld['runAs'] = (credential, changes = {}, change = {}) => {
    const parts = operationParts(test.database, { backend, timings: TIMINGS, ...change });
    return callOperation(parts, credential, requestFor(listing.repository, changes));
  };

  return {
    get database() {
      return test.database;
    },
    get listing() {
      return listing;
    },
    get backend() {
      return backend;
    },
    runAs,
    run: (account, ...changes) => runAs(credentialOf(account.key), ...changes),
    async totals({ accountId }) {
      const [row] = await test.database.query<Totals>(
        `SELECT (SELECT count(*)::int FROM usage_run WHERE account_id = $1) AS runs,
           coalesce(sum(used), 0)::int AS used, coalesce(sum(held), 0)::int AS held
         FROM credit_bucket WHERE account_id = $1`,
        [accountId],
      );
      return row as Totals;
    },
  };
}

/** Returns the error code with which a call is refused. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  return 'not refused';
}
