import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import {
  makeAccount,
  makeListing,
  makeSession,
  type TestAccount,
  type TestListing,
} from '../../testing/factories.ts';
import {
  answer,
  answerWhenReleased,
  createStandIn,
  type StandInBackend,
} from '../../testing/stand-ins/stand-in-backend.ts';
import { buildApp } from '../app.ts';
import { verifyLedger } from '../billing/ledger/verify.ts';
import { loadConfig } from '../platform/config/load-config.ts';
import { createServices, type Services } from '../services.ts';

let test: TestDatabase;
let services: Services;
let app: FastifyInstance;
let backend: StandInBackend;
let listing: TestListing;
let account: TestAccount;

beforeAll(async () => {
  test = await createTestDatabase();
  backend = createStandIn();
  const config = loadConfig({ LOG_LEVEL: 'silent', METERED_AT_WORK: '1', METERED_SCORING: '1' });
  services = createServices(config, { databaseUrl: test.url, backend });
  app = await buildApp(services);
  listing = await makeListing(test.database);
});
beforeEach(async () => {
  account = await makeAccount(test.database);
  backend.behave(answer);
});
afterAll(async () => {
  await app.close();
  await services.close();
  expect((await verifyLedger(test.database)).bad).toEqual([]);
  await test.close();
});

const call = (idempotency_key: string = randomUUID()) =>
  app.inject({
    method: 'POST',
    url: '/api/svc/operations/run',
    headers: { authorization: `Bearer ${account.key.secret}` },
    payload: { operation: 'agent_score', subject: listing.repository, idempotency_key },
  });

async function runs(): Promise<unknown> {
  return test.database.query('SELECT state FROM usage_run WHERE account_id = $1', [account.accountId]);
}

/** Starts a call that waits for the backend until the test lets the backend answer. */
async function callThatScores() {
  const { behaviour, once, tell } = answerWhenReleased();
  backend.behave(behaviour);
  const answered = call();
  await once;
  return { answered, tell };
}

describe('a call beyond the limits', () => {
  it('is a 503 with Retry-After, and leaves no trace', async () => {
    const { answered, tell } = await callThatScores();
    const idempotencyKey = randomUUID();

    const refused = await call(idempotencyKey);
    const whileFull = await runs();
    tell();
    const first = await answered;
    const again = await call(idempotencyKey);

    expect(refused.statusCode).toBe(503);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers['cache-control']).toBe('no-store');
    expect(refused.json()).toMatchObject({ ok: false, code: 'unavailable', operation: null });
    expect(whileFull).toEqual([{ state: 'reserved' }]);
    expect([first.statusCode, again.statusCode]).toEqual([200, 200]);
    expect(again.json()).toMatchObject({ settled: true });
    expect(await runs()).toEqual([{ state: 'settled' }, { state: 'settled' }]);
  });

  it('is refused before rate limits, authentication or reading its body', async () => {
    const { answered, tell } = await callThatScores();

    const refused = await app.inject({
      method: 'POST',
      url: '/api/svc/operations/run',
      headers: { authorization: 'Bearer svc_live_nobody', 'content-type': 'application/json' },
      payload: '{"broken',
    });
    tell();
    await answered;

    expect(refused.statusCode).toBe(503);
    expect(refused.headers['x-ratelimit-limit']).toBeUndefined();
  });

  it('gets the same answer before the framework as behind it', async () => {
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const { answered, tell } = await callThatScores();
    const send = (headers: Record<string, string>) =>
      fetch(`${url}/api/svc/operations/run`, { method: 'POST', headers, body: '{"broken' });

    const plain = await send({ 'content-type': 'application/json' });
    const fromPage = await send({ 'content-type': 'application/json', origin: 'https://page.example' });
    const read = await fetch(`${url}/api/agents`);
    tell();
    await answered;

    const told = async (answer: Response) => {
      const names = ['content-type', 'cache-control', 'x-content-type-options'];
      return [answer.status, names.map((name) => answer.headers.get(name)), await answer.json()];
    };
    expect(await told(plain)).toEqual(await told(fromPage));
    expect(plain.status).toBe(503);
    expect(Number(plain.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(plain.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(read.status).toBe(200);
  });

  it('is also refused after its body was read, if the limit was reached in the meantime', async () => {
    const { behaviour, tell } = answerWhenReleased();
    backend.behave(behaviour);

    // All of them pass the first check before the first is counted.
    const answers = Promise.all(Array.from({ length: 8 }, () => call()));
    while (services.callLimiter.counts.scoring === 0) await new Promise((resolve) => setImmediate(resolve));
    while (services.callLimiter.counts.refused < 7) await new Promise((resolve) => setImmediate(resolve));
    tell();

    const statuses = (await answers).map(({ statusCode }) => statusCode).toSorted();
    expect(statuses).toEqual([200, ...Array(7).fill(503)]);
    expect(await runs()).toEqual([{ state: 'settled' }]);
  });
});

describe('while calls are at their limit', () => {
  it('reads, receipts and the console still answer', async () => {
    const { token } = await makeSession(test.database, account.accountId);
    const { answered, tell } = await callThatScores();

    const key = { authorization: `Bearer ${account.key.secret}` };
    const answers = [
      await app.inject('/api/agents'),
      await app.inject({ url: '/api/receipts', headers: key }),
      await app.inject({ url: '/api/console/balance', headers: { cookie: `sid=${token}` } }),
      await app.inject({ url: '/console', headers: { cookie: `sid=${token}` } }),
      await app.inject('/readyz'),
    ];
    tell();
    await answered;

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
  });
});
