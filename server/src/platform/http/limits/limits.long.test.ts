import { randomBytes, randomUUID } from 'node:crypto';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../../testing/at-night.ts';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import {
  makeAccount,
  makeKey,
  makeListing,
  type TestAccount,
  type TestListing,
} from '../../../../testing/factories.ts';
import { fewerUnlessNightly } from '../../../../testing/nightly.ts';
import { createStandIn } from '../../../../testing/stand-ins/stand-in-backend.ts';
import { buildApp } from '../../../app.ts';
import { createServices, type Services } from '../../../services.ts';
import { loadConfig } from '../../config/load-config.ts';
import { newSecret } from '../credentials/secret.ts';

const LIMIT = 3;
const WRITE_LIMIT = 2;
/** Number of concurrent rounds of guesses; each round makes one guess of every kind. */
const ROUNDS = fewerUnlessNightly(8, 40);

let test: TestDatabase;
let listing: TestListing;
let account: TestAccount;
let services: Services | null = null;
let app: FastifyInstance;

beforeAll(async () => {
  test = await createTestDatabase();
  listing = await makeListing(test.database);
});
beforeEach(async () => {
  account = await makeAccount(test.database, { plan: 'pro' });
});
afterEach(async () => {
  await app.close();
  await services?.close();
});
afterAll(() => test.close());

/** Starts a server with low limits and empty counters. */
async function start(changes: Record<string, string> = {}): Promise<void> {
  const config = loadConfig({
    DATABASE_URL: test.url,
    LOG_LEVEL: 'silent',
    RATE_LIMIT_PUBLIC_PER_MINUTE: String(LIMIT),
    RATE_LIMIT_WRITE_PER_MINUTE: String(WRITE_LIMIT),
    RATE_LIMIT_METERED_PER_MINUTE: String(LIMIT),
    RATE_LIMIT_UNKEYED_PER_MINUTE: '0',
    RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: '0',
    ...changes,
  });
  services = createServices(config, { databaseUrl: test.url, backend: createStandIn() });
  app = await buildApp(services);
}

function get(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  return app.inject({ method, url, headers });
}

function run(secret: string | null, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> {
  return app.inject({
    method: 'POST',
    url: '/api/svc/operations/run',
    headers: { ...(secret && { authorization: `Bearer ${secret}` }), ...headers },
    payload: { operation: 'agent_score', subject: listing.repository, idempotency_key: randomUUID() },
  });
}

function register(secret: string, payload: object = {}): Promise<LightMyRequestResponse> {
  const headers = { authorization: `Bearer ${secret}` };
  return app.inject({ method: 'POST', url: '/api/agents/register', headers, payload });
}

/** Records the statements that look up a credential from now on. */
function watchLookUps(): string[] {
  const lookUps: string[] = [];
  const { database } = services as Services;
  const query = database.query.bind(database);
  Object.assign(database, {
    query(sql: string, bind?: readonly unknown[]) {
      if (/(key|token)_hash = /.test(sql)) lookUps.push(sql);
      return query(sql, bind);
    },
  });
  return lookUps;
}

async function statuses(requests: (() => Promise<LightMyRequestResponse>)[]): Promise<number[]> {
  const answers: number[] = [];
  for (const request of requests) answers.push((await request()).statusCode);
  return answers;
}

describe('public reads', () => {
  it('of one address are counted together, whatever the route and method, and shown on every response', async () => {
    await start();

    const answers = [
      await get('/api/agents'),
      await get('/openapi.yaml'),
      await get('/api/agents', {}, 'HEAD'),
    ];
    const refused = await get('/api/agents/AGT-00000000');

    expect(answers.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['2', '1', '0']);
    expect(answers.map(({ headers }) => headers['x-ratelimit-limit'])).toEqual(['3', '3', '3']);
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({ error: 'rate_limited', status: 429 });
    expect(refused.headers['x-ratelimit-remaining']).toBe('0');
    expect(refused.headers['retry-after']).toBe(refused.headers['x-ratelimit-reset']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  });

  it('do not get a higher limit by an untrusted X-Forwarded-For', async () => {
    await start();
    const spoofed = ['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4'].map(
      (address) => () => get('/api/agents', { 'x-forwarded-for': address }),
    );

    expect(await statuses(spoofed)).toEqual([200, 200, 200, 429]);
  });

  it('behind a trusted proxy count for the address that it added, not for those sent by the client', async () => {
    await start({ TRUST_PROXY: '127.0.0.0/8' });
    const from = (forwarded: string) => () => get('/api/agents', { 'x-forwarded-for': forwarded });

    expect(
      await statuses([
        from('10.0.0.1, 203.0.113.5'),
        from('10.0.0.2, 203.0.113.5'),
        from('127.0.0.1, 203.0.113.5'),
        from('203.0.113.6, 203.0.113.5'),
        from('203.0.113.5, 203.0.113.6'),
      ]),
    ).toEqual([200, 200, 200, 429, 200]);
  });

  itAtNight('count an address with a port as the address, whichever port a proxy writes', async () => {
    await start({ TRUST_PROXY: '127.0.0.0/8, 10.0.0.0/8' });
    const from = (forwarded: string) => () => get('/api/agents', { 'x-forwarded-for': forwarded });

    expect(
      await statuses([
        from('203.0.113.5:1001'),
        from('203.0.113.5:1002, 10.0.0.2:443'),
        from('203.0.113.5'),
        from('203.0.113.5:65535'),
        from('[2001:db8::1]:1001'),
        from('2001:db8::1'),
        from('[2001:db8::1]'),
        from('198.51.100.1, [2001:db8::2]:1002'),
      ]),
    ).toEqual([200, 200, 200, 429, 200, 200, 200, 429]);
  });

  itAtNight('have no limit and no headers where it is switched off', async () => {
    await start({ RATE_LIMIT_PUBLIC_PER_MINUTE: '0' });

    const answers = await Promise.all(Array.from({ length: 2 * LIMIT }, () => get('/api/agents')));

    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(2 * LIMIT).fill(200));
    expect(answers[0]?.headers).not.toHaveProperty('x-ratelimit-limit');
  });
});

describe('the metered route', () => {
  it('counts the account: its keys share the limit, another account has its own', async () => {
    await start();
    const second = await makeKey(test.database, account.accountId);
    const other = await makeAccount(test.database);

    const { key } = account;
    expect(
      await statuses([
        () => run(key.secret),
        () => run(second.secret),
        () => run(key.secret),
        () => run(second.secret),
        () => run(other.key.secret),
      ]),
    ).toEqual([200, 200, 200, 429, 200]);
  });

  it('shows the account’s count, and opens no run above the limit', async () => {
    await start();
    const second = await makeKey(test.database, account.accountId);
    await run(account.key.secret);

    const remaining = (await run(second.secret)).headers['x-ratelimit-remaining'];
    await run(second.secret);
    const refused = await run(second.secret);

    expect(remaining).toBe('1');
    expect(refused.json()).toMatchObject({ ok: false, code: 'rate_limited' });
    const [row] = await test.database.query<{ runs: number }>(
      'SELECT count(*)::int AS runs FROM usage_run WHERE account_id = $1',
      [account.accountId],
    );
    expect(row?.runs).toBe(LIMIT);
  });
});

describe('authenticated writes', () => {
  it('of one token are counted before their body is looked at; another token has its own count', async () => {
    await start();
    const second = await makeKey(test.database, account.accountId);
    const { key } = account;

    expect(
      await statuses([
        ...Array.from({ length: WRITE_LIMIT }, () => () => register(key.secret)),
        () => register(key.secret),
        () => register(second.secret),
      ]),
    ).toEqual([400, 400, 429, 400]);
  });
});

describe('failed credentials', () => {
  it('of one address: after the limit further failing ones are refused, and a valid key still passes', async () => {
    await start({
      RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: String(LIMIT),
      RATE_LIMIT_METERED_PER_MINUTE: '0',
      TRUST_PROXY: '127.0.0.1/32',
    });
    const failing = [
      () => run(newSecret()),
      () => run('svc_live_short'),
      () => register(newSecret(), REGISTRATION),
    ];

    expect(await statuses([...failing, ...failing])).toEqual([401, 401, 401, 429, 429, 429]);
    const refused = await run(newSecret());
    expect(refused.json()).toMatchObject({ code: 'rate_limited' });
    expect(refused.headers['retry-after']).toBe(refused.headers['x-ratelimit-reset']);
    expect(refused.headers).not.toHaveProperty('www-authenticate');
    expect((await run(account.key.secret)).statusCode).toBe(200);
    expect((await run(newSecret(), { 'x-forwarded-for': '203.0.113.9' })).statusCode).toBe(401);
  });

  it('that do not exist cost no lookup once their address has failed too often, and a new key passes', async () => {
    await start({
      RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: String(LIMIT),
      RATE_LIMIT_METERED_PER_MINUTE: '0',
      RATE_LIMIT_READ_PER_MINUTE: '0',
      RATE_LIMIT_WRITE_PER_MINUTE: '0',
    });
    const guesses = [
      () => run(newSecret()),
      () => register(newSecret(), REGISTRATION),
      () => get('/api/receipts', { authorization: `Bearer ${newSecret()}` }),
      () => get('/api/console/session', { cookie: `sid=${randomBytes(32).toString('base64url')}` }),
    ];
    expect(await statuses(guesses.slice(0, LIMIT))).toEqual([401, 401, 401]);

    const lookUps = watchLookUps();
    const refused = (await Promise.all(Array.from({ length: ROUNDS }, () => statuses(guesses)))).flat();
    expect(refused).toEqual(Array(ROUNDS * guesses.length).fill(429));
    expect(lookUps).toEqual([]);

    // Sent to another process, so this one has not seen it.
    for (let index = 0; index < fewerUnlessNightly(2, 5); index += 1) {
      const made = await makeKey(test.database, account.accountId);
      expect((await run(made.secret)).statusCode).toBe(200);
      expect((await run(newSecret())).statusCode).toBe(429);
    }
    expect(lookUps.length).toBeGreaterThan(0);
    const revoked = await makeKey(test.database, account.accountId);
    await test.database.query('UPDATE access_key SET revoked_at = ledger_now() WHERE id = $1', [revoked.id]);
    expect((await run(revoked.secret)).statusCode).toBe(429);
  });

  it('that are malformed are counted by address', async () => {
    await start({ RATE_LIMIT_UNKEYED_PER_MINUTE: String(LIMIT) });

    expect(
      await statuses([
        () => run(null),
        () => run('svc_live_short'),
        () => run(`${newSecret().slice(0, -1)}-`),
        () => run(null),
        () => run(account.key.secret),
      ]),
    ).toEqual([401, 401, 401, 429, 200]);
  });
});

const REGISTRATION = {
  repoHostUrl: 'https://github.com/a/b',
  name: 'n',
  description: 'd',
  category: 'coding',
};
