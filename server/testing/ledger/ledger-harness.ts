import { createHash, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import {
  newLedgerId,
  type Reservation,
  type ReserveInput,
  reserve,
} from '../../src/billing/ledger/reserve.ts';
import { verifyLedger } from '../../src/billing/ledger/verify.ts';
import type { Database } from '../../src/platform/database/connect.ts';
import { type AcceptedScore, acceptScore } from '../../src/scoring/scores/accept-score.ts';
import type { ScoreRequest } from '../../src/scoring/scoring-backend.ts';
import { replaceClock } from '../clock.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import {
  credentialOf,
  giveCredits,
  makeAccount,
  makeListing,
  type TestAccount,
  type TestListing,
} from '../factories.ts';
import { usableScore } from '../stand-ins/stand-in-backend.ts';

const BODY = createHash('sha256').update('body').digest();

interface Bucket {
  source: string;
  total: number;
  used: number;
  held: number;
}

/** A database with one listed agent and a clock that tests can set. */
export interface LedgerWorld {
  readonly database: Database;
  /** Database URL, for connections of another process. */
  readonly url: string;
  readonly listing: TestListing;
  /**
   * Input of reserve for a call with the account's key about the listing, for 10 credits unless `changes` say
   * otherwise.
   */
  input(account: TestAccount, changes?: Partial<ReserveInput>): ReserveInput;
  /** Reserves; fails the test if nothing was reserved. */
  hold(account: TestAccount, changes?: Partial<ReserveInput>): Promise<Reservation>;
  /** A valid score of the listing. */
  score(): AcceptedScore;
  /** The account's buckets in payment order. */
  buckets(account: TestAccount): Promise<Bucket[]>;
  /** An account with only gifted credits. */
  accountWith(credits: number): Promise<TestAccount>;
}

/** Sets up the database for a test file; verifies the ledger's invariants after each test. */
export function useLedger(): LedgerWorld {
  let test: TestDatabase;
  let listing: TestListing;
  beforeAll(async () => {
    test = await createTestDatabase({ poolSize: 20 });
    await replaceClock(test.database);
    listing = await makeListing(test.database);
  });
  afterEach(async () => {
    expect((await verifyLedger(test.database)).bad).toEqual([]);
  });
  afterAll(() => test.close());

  const input: LedgerWorld['input'] = (account, changes = {}) => ({
    credential: credentialOf(account.key),
    accountId: account.accountId,
    callerId: account.key.id,
    namedKeyId: null,
    scope: 'scores:read',
    idempotencyKey: randomUUID(),
    fingerprint: BODY,
    priceCredits: 10,
    ledgerId: newLedgerId(),
    operation: 'agent_score',
    subjectId: listing.subjectId,
    leaseMs: 60_000,
    ...changes,
  });

  return {
    get database() {
      return test.database;
    },
    get url() {
      return test.url;
    },
    get listing() {
      return listing;
    },
    input,
    async hold(account, changes) {
      const run = await reserve(test.database, input(account, changes));
      if (!run) throw new Error('nothing was reserved');
      return run;
    },
    score() {
      const request = {
        operation: 'agent_score',
        runId: null,
        subject: { id: listing.subjectId, type: 'agent', name: 'x', repository: listing.repository },
        facts: {},
        now: new Date(),
      } as unknown as ScoreRequest;
      return acceptScore(usableScore(request), request, 'stand-in');
    },
    buckets(account) {
      return test.database.query<Bucket>(
        'SELECT source, total, used, held FROM credit_bucket WHERE account_id = $1 ORDER BY prio, valid_to, id',
        [account.accountId],
      );
    },
    async accountWith(credits) {
      const account = await makeAccount(test.database);
      await giveCredits(test.database, account.accountId, credits);
      return account;
    },
  };
}
