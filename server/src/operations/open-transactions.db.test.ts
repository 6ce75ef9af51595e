import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { credentialOf, giveCredits, makeAccount, makeListing } from '../../testing/factories.ts';
import { callOperation } from '../../testing/operations/call-operation.ts';
import { operationParts, requestFor } from '../../testing/operations/operation-parts.ts';
import { answerWhenReleased, createStandIn } from '../../testing/stand-ins/stand-in-backend.ts';
import { verifyLedger } from '../billing/ledger/verify.ts';
import { connect, type Database } from '../platform/database/connect.ts';

const POOL_SIZE = 4;
const CALLS = 12;

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

const LOOKS = 20;
// A session that is still being opened runs its settings in a transaction of their own; no call holds it yet.
const OPEN_TRANSACTIONS = `
SELECT state, query FROM pg_stat_activity
WHERE datname = current_database() AND application_name = 'trust-directory' AND xact_start IS NOT NULL
  AND NOT starts_with(query, 'SET client_min_messages')`;

it('holds no transaction and no session while waiting for the backend, even with more calls than sessions', async () => {
  const account = await makeAccount(test.database);
  await giveCredits(test.database, account.accountId, 1000);
  const listing = await makeListing(test.database);
  const asked = answerWhenReleased();
  const backend = createStandIn(asked.behaviour);
  const timings = {
    holdMs: 20_000,
    attemptMs: 20_000,
    budgetMs: 45_000,
    retryAfterCapMs: 100,
    leaseMs: 60_000,
  };
  const parts = operationParts(test.database, { backend, timings });
  const credential = credentialOf(account.key);
  const calls = Promise.all(
    Array.from({ length: CALLS }, () => callOperation(parts, credential, requestFor(listing.repository))),
  );

  await expect.poll(() => backend.calls).toHaveLength(CALLS);
  const found = [];
  for (let look = 0; look < LOOKS; look++) found.push(...(await watcher.query(OPEN_TRANSACTIONS)));
  asked.tell();

  expect(found).toEqual([]);
  expect((await calls).every(({ kind }) => kind === 'settled')).toBe(true);
  expect((await verifyLedger(test.database)).bad).toEqual([]);
});
