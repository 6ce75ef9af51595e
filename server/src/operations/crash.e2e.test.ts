import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { verifyLedger } from '../ledger/verify.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { makeAccount, makeListing, type TestAccount, type TestListing } from '../testing/factories.ts';
import { type ServerProcess, startServer } from '../testing/server-process.ts';

let test: TestDatabase;
let listing: TestListing;
let servers: ServerProcess[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  listing = await makeListing(test.database);
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.end('SIGKILL').catch(() => undefined)));
  servers = [];
  expect((await verifyLedger(test.database)).bad).toEqual([]);
});
afterAll(() => test.close());

async function start(): Promise<ServerProcess> {
  const server = await startServer({ DATABASE_URL: test.url, RATE_LIMIT_METERED_PER_MINUTE: '0' });
  servers.push(server);
  return server;
}

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

async function until(condition: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('it did not come true in time');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('a server killed between the hold and the settle', () => {
  it('has charged nothing: the hold is given back after the lease and the same key is charged once', async () => {
    const account = await makeAccount(test.database);
    const idempotencyKey = randomUUID();
    const first = await start();
    first.behave({ behave: 'hang' });
    const called = first.nextCall();
    const lost = call(first, account, idempotencyKey).catch(() => 'connection lost');
    await called;
    await first.end('SIGKILL');
    expect(await lost).toBe('connection lost');
    expect(await runsOf(account)).toMatchObject([{ state: 'reserved' }]);

    const second = await start();
    const early = await call(second, account, idempotencyKey);
    await until(async () => (await runsOf(account))[0]?.state === 'failed', 5_000);
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

  it('loses no receipt that was answered and doubles no charge, killed again and again under load', async () => {
    const accounts = await Promise.all(Array.from({ length: 10 }, () => makeAccount(test.database)));
    const acknowledged = new Map<string, string>();
    const open: { account: TestAccount; key: string }[] = [];
    for (let round = 0; round < 5; round++) {
      const server = await start();
      server.behave({ behave: 'answer-after', delayMs: 10 });
      const calls = Promise.allSettled(
        accounts.map(async (account) => {
          for (let i = 0; i < 4; i++) {
            const key = randomUUID();
            open.push({ account, key });
            const answer = await call(server, account, key);
            if (answer.status === 200)
              acknowledged.set(`${account.accountId}/${key}`, answer.body.ledger_id ?? '');
          }
        }),
      );
      const before = acknowledged.size;
      await until(async () => acknowledged.size > before, 10_000);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
      await server.end('SIGKILL');
      await calls;
    }

    const last = await start();
    await until(
      async () =>
        (await test.database.query("SELECT 1 AS one FROM usage_run WHERE state = 'reserved'")).length === 0,
      10_000,
    );
    for (const { account, key } of open) {
      const receipt = acknowledged.get(`${account.accountId}/${key}`);
      const answer = await call(last, account, key);
      if (receipt)
        expect(answer).toMatchObject({ status: 200, body: { idempotent: true, ledger_id: receipt } });
      else expect(answer.status).toBe(200);
    }
    const twice = await test.database.query(
      "SELECT 1 AS one FROM usage_run WHERE state = 'settled' GROUP BY account_id, idempotency_key HAVING count(*) > 1",
    );
    expect(twice).toEqual([]);
    expect(acknowledged.size).toBeGreaterThanOrEqual(5);
  });
});

describe('a server that is told to stop', () => {
  it('finishes the call under way, answers it, and then ends', async () => {
    const account = await makeAccount(test.database);
    const server = await start();
    server.behave({ behave: 'answer-after', delayMs: 500 });
    const called = server.nextCall();
    const underWay = call(server, account, randomUUID());
    await called;

    const ended = server.end('SIGTERM');

    expect(await underWay).toMatchObject({ status: 200, body: { settled: true } });
    expect(await ended).toEqual({ code: 0, signal: null });
  });
});

describe('two server processes on one database', () => {
  it('run one call per idempotency key in a storm of the same key, and charge it once', async () => {
    const pair = await Promise.all([start(), start()]);
    for (const server of pair) server.behave({ behave: 'answer-after', delayMs: 40 });
    const account = await makeAccount(test.database);
    await test.database.query('UPDATE account SET plan = $2 WHERE id = $1', [account.accountId, 'pro']);

    for (let key = 0; key < 60; key++) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, i) => call(pair[i % 2] as ServerProcess, account, `storm-${key}`)),
      );
      const fresh = answers.filter(({ status, body }) => status === 200 && !body.idempotent);
      expect(fresh).toHaveLength(1);
      for (const { status, body } of answers) {
        if (status === 200) expect(body.ledger_id).toBe(fresh[0]?.body.ledger_id);
        else expect({ status, code: body.code }).toEqual({ status: 409, code: 'idempotency_in_progress' });
      }
    }

    expect((await runsOf(account)).map(({ state }) => state)).toEqual(Array(60).fill('settled'));
  });
});
