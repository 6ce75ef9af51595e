import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeAccount, makeListing, makeSession, type TestListing } from '../../../testing/factories.ts';
import { createStandIn } from '../../../testing/stand-ins/stand-in-backend.ts';
import { buildApp } from '../../app.ts';
import { createServices } from '../../services.ts';
import { loadConfig } from '../config/load-config.ts';
import { newSecret } from './credentials/secret.ts';

const OURS = 'http://127.0.0.1:4000';
const METERED_LIMIT = 4;

let test: TestDatabase;
let listing: TestListing;
/** Server with the default settings, and one with a low limit of metered calls. */
let app: FastifyInstance;
let limited: FastifyInstance;
const stops: (() => Promise<unknown>)[] = [];

async function start(environment: Record<string, string> = {}): Promise<FastifyInstance> {
  const config = loadConfig({
    LOG_LEVEL: 'silent',
    RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: '0',
    ...environment,
  });
  const services = createServices(config, { databaseUrl: test.url, backend: createStandIn() });
  const started = await buildApp(services);
  stops.push(async () => {
    await started.close();
    await services.close();
  });
  return started;
}

beforeAll(async () => {
  test = await createTestDatabase();
  listing = await makeListing(test.database);
  app = await start();
  limited = await start({ RATE_LIMIT_METERED_PER_MINUTE: String(METERED_LIMIT) });
});
afterAll(async () => {
  for (const stop of stops) await stop();
  await test.close();
});

async function signedIn() {
  const account = await makeAccount(test.database, { plan: 'builder' });
  return { ...account, ...(await makeSession(test.database, account.accountId)) };
}

async function run(headers: Record<string, string>, changes: object = {}, server = app) {
  const response = await server.inject({
    method: 'POST',
    url: '/api/svc/operations/run',
    headers,
    payload: {
      operation: 'agent_score',
      subject: listing.repository,
      idempotency_key: randomUUID(),
      ...changes,
    },
  });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

async function runsOf({ accountId }: { accountId: string }): Promise<number> {
  const rows = await test.database.query('SELECT 1 AS one FROM usage_run WHERE account_id = $1', [accountId]);
  return rows.length;
}

describe('the metered route with a session', () => {
  it.each([[{ origin: OURS }], [{ 'sec-fetch-site': 'same-origin' }], [{ 'sec-fetch-site': 'none' }]])(
    'runs the operation of a page of ours, told by %j, and its answer is not stored',
    async (proof) => {
      const { cookie } = await signedIn();

      const answer = await run({ cookie, ...proof });

      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ ok: true, settled: true });
      expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' });
    },
  );

  it.each([
    [{}],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    [{ referer: `${OURS}/console` }],
  ])('refuses a request with %j in its own shape, and opens no run', async (headers) => {
    const caller = await signedIn();

    const answer = await run({ cookie: caller.cookie, ...headers });

    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({
      ok: false,
      operation: 'agent_score',
      channel: 'api',
      error: expect.stringContaining(OURS),
      code: 'csrf_failed',
    });
    expect(await runsOf(caller)).toBe(0);
  });

  it('looks at the session before the origin, and at the origin before the api_key_id', async () => {
    const caller = await signedIn();
    const ended = await signedIn();
    await test.database.query('UPDATE session SET ended_at = ledger_now() WHERE id = $1', [ended.sessionId]);

    expect((await run({ cookie: ended.cookie })).body).toMatchObject({ code: 'unauthorized' });
    expect((await run({ cookie: caller.cookie }, { api_key_id: randomUUID() })).body).toMatchObject({
      code: 'csrf_failed',
    });
  });

  it('asks no proof of a request with a key, whose cookie is not looked at', async () => {
    const caller = await signedIn();
    const other = await signedIn();
    const authorization = `Bearer ${caller.key.secret}`;

    expect((await run({ authorization, cookie: other.cookie, origin: 'https://evil.example' })).status).toBe(
      200,
    );

    expect(await runsOf(caller)).toBe(1);
    expect(await runsOf(other)).toBe(0);
  });

  it.each([
    ['Bearer nonsense', 'unauthorized', /malformed or unknown/],
    [`Bearer ${newSecret()}`, 'unauthorized', /malformed or unknown/],
    ['', 'unauthorized', /malformed or unknown/],
  ])('is refused for its Authorization %j, whatever its cookie', async (authorization, code, error) => {
    const { cookie } = await signedIn();

    const answer = await run({ authorization, cookie, origin: OURS });

    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ code, error: expect.stringMatching(error) });
  });

  it('tells what became of a refused key, not that a session is missing', async () => {
    const { key } = await signedIn();
    await test.database.query('UPDATE access_key SET revoked_at = ledger_now() WHERE id = $1', [key.id]);

    const answer = await run({ authorization: `Bearer ${key.secret}` });

    expect(answer.body).toMatchObject({ code: 'key_revoked' });
  });

  it.each(['sid=nonsense', `sid=${'A'.repeat(43)}`])('is refused with the cookie %s', async (cookie) => {
    const answer = await run({ cookie, origin: OURS });

    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ code: 'unauthorized', error: expect.stringMatching(/session/) });
  });

  it('is counted by its token and by its account, before its body is looked at', async () => {
    const one = await signedIn();
    const other = await makeSession(test.database, one.accountId);
    const statusOf = async (cookie: string, changes: object = {}) =>
      (await run({ cookie, origin: OURS }, changes, limited)).status;

    const wrong = { subject: 7 };
    for (let call = 0; call < METERED_LIMIT; call++) expect(await statusOf(one.cookie, wrong)).toBe(400);
    expect(await statusOf(one.cookie)).toBe(429);
    for (let call = 0; call < METERED_LIMIT; call++) expect(await statusOf(other.cookie)).toBe(200);
    const third = await makeSession(test.database, one.accountId);
    expect(await statusOf(third.cookie)).toBe(429);
  });

  it('does not let another site use up the calls of its account', async () => {
    const caller = await signedIn();
    const { key } = caller;
    for (let call = 0; call < METERED_LIMIT; call++) {
      const answer = await run({ cookie: caller.cookie, origin: 'https://evil.example' }, {}, limited);
      expect(answer.status).toBe(403);
    }

    expect((await run({ authorization: `Bearer ${key.secret}` }, {}, limited)).status).toBe(200);
  });
});

describe('behind https', () => {
  it('only the cookie that browsers keep to this host counts', async () => {
    const secure = await start({ PUBLIC_URL: 'https://trust.example' });
    const { token } = await signedIn();
    const origin = 'https://trust.example';

    const statusOf = async (cookie: string, from = origin) =>
      (await run({ cookie, origin: from }, {}, secure)).status;

    expect(await statusOf(`__Host-sid=${token}`)).toBe(200);
    expect(await statusOf(`sid=${token}`)).toBe(401);
    expect(await statusOf(`__Host-sid=${token}`, 'http://trust.example')).toBe(403);
  });
});

describe('another authenticated route with a session', () => {
  async function register(headers: Record<string, string>) {
    const response = await app.inject({
      method: 'POST',
      url: '/api/agents/register',
      headers,
      payload: {
        repoHostUrl: `https://github.com/someone/agent-${randomUUID()}`,
        name: 'Agent',
        description: 'An agent.',
        category: 'coding',
      },
    });
    return { status: response.statusCode, body: response.json() };
  }

  it('needs the same proof, and answers in the directory’s shape', async () => {
    const { cookie } = await signedIn();

    expect((await register({ cookie, origin: OURS })).status).toBe(201);
    expect(await register({ cookie })).toEqual({
      status: 403,
      body: { error: 'csrf_failed', message: expect.stringContaining(OURS), status: 403 },
    });
  });

  it('tells nothing but unauthorized of a suspended account', async () => {
    const { cookie, accountId } = await signedIn();
    await test.database.query('UPDATE account SET suspended_at = ledger_now() WHERE id = $1', [accountId]);

    expect(await register({ cookie, origin: OURS })).toEqual({
      status: 401,
      body: { error: 'unauthorized', message: expect.stringContaining('suspended'), status: 401 },
    });
  });
});
