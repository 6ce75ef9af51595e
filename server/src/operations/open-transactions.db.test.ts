import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { credentialOf, giveCredits, makeAccount, makeListing, PLAN_BOOK } from '../../testing/factories.ts';
import { callOperation } from '../../testing/operations/call-operation.ts';
import { answerAfter, createStandIn } from '../../testing/stand-ins/stand-in-backend.ts';
import { connect, type Database } from '../database/connect.ts';
import { verifyLedger } from '../ledger/verify.ts';
import { createNaming } from '../subjects/naming.ts';

const POOL_SIZE = 4;
const CALLS = 12;
const BACKEND_MS = 1_500;

let test: TestDatabase;
let watcher: Database;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: POOL_SIZE });
  watcher = connect(test.url, { applicationName: 'watcher', poolSize: 1 });
});
afterAll(async () => {
  await watcher.close();
  await test.close();
});

interface Sample {
  open_runs: number;
  idle_in_transaction: number;
  old_transactions: number;
}

const SAMPLE = `
SELECT (SELECT count(*)::int FROM usage_run WHERE state = 'reserved') AS open_runs,
  count(*) FILTER (WHERE state LIKE 'idle in transaction%')::int AS idle_in_transaction,
  count(*) FILTER (WHERE state <> 'idle' AND xact_start < clock_timestamp() - interval '1 second')::int AS old_transactions
FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'trust-directory'`;

it('no transaction and no session is held while the backend is asked, also with more calls than sessions', async () => {
  const account = await makeAccount(test.database);
  await giveCredits(test.database, account.accountId, 1000);
  const listing = await makeListing(test.database);
  const backend = createStandIn(answerAfter(BACKEND_MS));
  const parts = {
    database: test.database,
    planBook: PLAN_BOOK,
    backend,
    naming: createNaming('http://127.0.0.1:4000'),
    timings: { holdMs: 20_000, attemptMs: 5_000, budgetMs: 6_000, retryAfterCapMs: 100, leaseMs: 10_000 },
    onDoubt: () => undefined,
    onScoringFailure: () => undefined,
  };
  const credential = credentialOf(account.key);
  let underWay = true;
  const calls = Promise.all(
    Array.from({ length: CALLS }, () =>
      callOperation(parts, credential, {
        operation: 'agent_score',
        subject: listing.repository,
        channel: 'api',
        idempotencyKey: randomUUID(),
        apiKeyId: null,
        dryRun: false,
      }),
    ),
  ).finally(() => {
    underWay = false;
  });

  const samples: Sample[] = [];
  while (underWay) {
    const [sample] = await watcher.query<Sample>(SAMPLE);
    if (sample) samples.push(sample);
    await sleep(50);
  }

  expect((await calls).every(({ kind }) => kind === 'settled')).toBe(true);
  // All calls waited for the backend at once, and were looked at then.
  expect(samples.filter(({ open_runs }) => open_runs === CALLS).length).toBeGreaterThan(5);
  expect(samples.filter((sample) => sample.idle_in_transaction + sample.old_transactions > 0)).toEqual([]);
  expect((await verifyLedger(test.database)).bad).toEqual([]);
});
