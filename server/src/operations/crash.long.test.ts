import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openUpstream, type ScoringUpstream, scoreAfter } from '../../../torture/scoring-upstream.ts';
import { replaceClock, setClock, shiftClock } from '../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { makeAccount, makeListing, type TestAccount, type TestListing } from '../../testing/factories.ts';
import { type ServerProcess, startServer } from '../../testing/server-process.ts';
import { verifyLedger } from '../billing/ledger/verify.ts';

let test: TestDatabase;
let listing: TestListing;
/** Scoring backend that both servers use. It runs in the test's process, so it outlives killed servers. */
let upstream: ScoringUpstream;
/** Two servers on one database, shared by all tests: a test kills the first one and stops the second one with SIGTERM. */
let first: ServerProcess;
let second: ServerProcess;

beforeAll(async () => {
  test = await createTestDatabase();
  await replaceClock(test.database);
  listing = await makeListing(test.database);
  upstream = await openUpstream();
  const scoring = { SCORING_URL: upstream.url, SCORING_TOKEN: randomUUID() };
  const start = () => startServer({ DATABASE_URL: test.url, RATE_LIMIT_METERED_PER_MINUTE: '0', ...scoring });
  [first, second] = await Promise.all([start(), start()]);
});
afterEach(async () => {
  expect((await verifyLedger(test.database)).bad).toEqual([]);
});
afterAll(async () => {
  await Promise.all([first, second].map((server) => server?.end('SIGKILL').catch(() => undefined)));
  await upstream?.close();
  await test.close();
});

interface Answer {
  status: number;
  body: { ledger_id?: string; idempotent?: boolean; settled?: boolean; code?: string };
}

async function call(server: ServerProcess, account: TestAccount, idempotencyKey: string): Promise<Answer> {
  const response = await fetch(`${server.baseUrl}/api/svc/operations/run`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${account.key.secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      operation: 'agent_score',
      subject: listing.repository,
      idempotency_key: idempotencyKey,
    }),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

async function runsOf(
  account: TestAccount,
): Promise<{ state: string; fail_code: string | null; amount: number }[]> {
  return test.database.query(
    'SELECT state, fail_code, amount FROM usage_run WHERE account_id = $1 ORDER BY attempt',
    [account.accountId],
  );
}

describe('a server killed between the hold and the settle', () => {
  it('has charged nothing: the hold is released after the lease and the same key is charged once', async () => {
    const account = await makeAccount(test.database);
    const idempotencyKey = randomUUID();
    // The test controls the clock and thus the end of the lease.
    await setClock(test.database, new Date().toISOString());
    upstream.behave(() => undefined);
    const called = upstream.nextCall();
    const lost = call(first, account, idempotencyKey).catch(() => 'connection lost');
    await called;
    await first.end('SIGKILL');
    expect(await lost).toBe('connection lost');
    upstream.behave(scoreAfter(0));
    expect(await runsOf(account)).toMatchObject([{ state: 'reserved' }]);

    const early = await call(second, account, idempotencyKey);
    await shiftClock(test.database, '1 minute');
    await expect.poll(async () => (await runsOf(account))[0]?.state).toBe('failed');
    const retried = await call(second, account, idempotencyKey);

    expect(early).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } });
    expect(retried).toMatchObject({ status: 200, body: { settled: true } });
    expect(await runsOf(account)).toMatchObject([
      { state: 'failed', fail_code: 'lease_expired' },
      { state: 'settled' },
    ]);
    expect(await call(second, account, idempotencyKey)).toMatchObject({
      status: 200,
      body: { idempotent: true, ledger_id: retried.body.ledger_id },
    });
  });
});

describe('a server that is told to stop', () => {
  it('finishes and answers the call in progress, then exits', async () => {
    const account = await makeAccount(test.database);
    upstream.behave(scoreAfter(500));
    const called = upstream.nextCall();
    const underWay = call(second, account, randomUUID());
    await called;

    const ended = second.end('SIGTERM');

    expect(await underWay).toMatchObject({ status: 200, body: { settled: true } });
    expect(await ended).toEqual({ code: 0, signal: null });
  });
});
