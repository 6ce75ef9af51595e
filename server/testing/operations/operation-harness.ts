import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Credential } from '../../src/callers/principal.ts';
import type { Database } from '../../src/database/connect.ts';
import { DomainError } from '../../src/domain-error.ts';
import { verifyLedger } from '../../src/ledger/verify.ts';
import type { OperationRequest } from '../../src/operations/operation-call.ts';
import type { OperationOutcome, OperationParts } from '../../src/operations/run-operation.ts';
import { replaceClock, setClock } from '../clock.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { credentialOf, makeListing, type TestAccount, type TestListing } from '../factories.ts';
import { createStandIn, type StandInBackend } from '../stand-ins/stand-in-backend.ts';
import { callOperation } from './call-operation.ts';
import { operationParts, requestFor } from './operation-parts.ts';

/** The deployed times at a twentieth, but for the wait for sessions and locks. */
export const TIMINGS = { holdMs: 2200, attemptMs: 1000, budgetMs: 2250, retryAfterCapMs: 250, leaseMs: 3000 };

interface Totals {
  runs: number;
  used: number;
  held: number;
}

/** A database with one listed agent, and a backend under the test's control that is new in every test. */
export interface OperationWorld {
  readonly database: Database;
  readonly listing: TestListing;
  readonly backend: StandInBackend;
  /** A call with this credential about the listing, unless `changes` say otherwise. */
  runAs(
    credential: Credential,
    changes?: Partial<OperationRequest>,
    change?: Partial<OperationParts>,
  ): Promise<OperationOutcome>;
  /** The same with the account's key. */
  run(
    account: TestAccount,
    changes?: Partial<OperationRequest>,
    change?: Partial<OperationParts>,
  ): Promise<OperationOutcome>;
  /** Runs of the account, and what is used and held of all its buckets. */
  totals(account: { accountId: string }): Promise<Totals>;
}

/** Sets the world up for a test file; after each of its tests the ledger's invariants are verified. */
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

/** The code that a call is refused with. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  return 'not refused';
}
