import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import {
  makeAccount,
  makeKey,
  makeListing,
  type TestAccount,
  type TestListing,
} from '../testing/factories.ts';
import {
  createStandIn,
  refuse,
  type StandInBackend,
  answer as usual,
} from '../testing/stand-ins/stand-in-backend.ts';
import { buildApp } from './app.ts';
import { verifyLedger } from './billing/ledger/verify.ts';
import { loadConfig } from './platform/config/load-config.ts';
import { newSecret } from './platform/http/credentials/secret.ts';
import { createServices, type Services } from './services.ts';

const RUN = '/api/svc/operations/run';
const REGISTER = '/api/agents/register';

let test: TestDatabase;
let services: Services;
let app: FastifyInstance;
let backend: StandInBackend;
let listing: TestListing;
let account: TestAccount;

beforeAll(async () => {
  test = await createTestDatabase();
  backend = createStandIn();
  const config = loadConfig({
    DATABASE_URL: test.url,
    LOG_LEVEL: 'silent',
    TIMINGS_SCALE: '0.05',
    RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: '0',
    RATE_LIMIT_METERED_PER_MINUTE: '100',
  });
  services = createServices(config, { databaseUrl: test.url, backend });
  app = await buildApp(services);
  listing = await makeListing(test.database);
  account = await makeAccount(test.database);
});
afterEach(async () => {
  expect((await verifyLedger(test.database)).bad).toEqual([]);
});
afterAll(async () => {
  await app.close();
  await services.close();
  await test.close();
});

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: Record<string, unknown>;
}

async function post(url: string, payload: object | string, secret: string | null): Promise<Answer> {
  const response = await app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...(secret && { authorization: `Bearer ${secret}` }) },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

function body(changes: object = {}): object {
  return { operation: 'agent_score', subject: listing.repository, idempotency_key: randomUUID(), ...changes };
}

async function rows(): Promise<unknown> {
  const [counts] = await test.database.query(
    `SELECT (SELECT count(*)::int FROM usage_run) AS runs, (SELECT count(*)::int FROM ledger_entry WHERE kind <> 'grant') AS entries,
       (SELECT coalesce(sum(used + held), 0)::int FROM credit_bucket) AS spent`,
  );
  return counts;
}

/** Removes what remains, as an operator's adjustment would. */
async function spendEverything({ accountId }: TestAccount): Promise<void> {
  await test.database.query(
    `WITH b AS (UPDATE credit_bucket SET total = used + held WHERE account_id = $1 RETURNING account_id, id, total)
     INSERT INTO bucket_entry (account_id, bucket_id, kind, d_total)
     SELECT b.account_id, b.id, 'adjust', b.total - was.total FROM b JOIN credit_bucket was USING (account_id, id)`,
    [accountId],
  );
}

describe('the metered route reports the first problem, in a fixed order', () => {
  const unknown = newSecret();
  const nothing = 'nobody/nothing';

  it.each([
    ['size, before JSON', `{${' '.repeat(17_000)}`, null, 413, 'payload_too_large'],
    ['JSON, before fields', '{"operation":"x"', null, 400, 'invalid_json'],
    ['fields, before the channel', { operation: 'x', channel: 'web' }, null, 400, 'invalid_request'],
    [
      'unknown fields, before the reserved channel',
      { channel: 'mcp', operation: 'x', subject: 'a', idempotency_key: 'k', more: 1 },
      null,
      400,
      'invalid_request',
    ],
    [
      'the channel, before the operation',
      { operation: 'x', channel: 'web', subject: 'a', idempotency_key: 'k' },
      null,
      400,
      'invalid_channel',
    ],
    [
      'the reserved channel, before operation and credential',
      { operation: 'x', channel: 'mcp', subject: 'a', idempotency_key: 'k' },
      null,
      501,
      'mcp_not_available',
    ],
    [
      'the operation, before the credential',
      { operation: 'x', subject: nothing, idempotency_key: 'k' },
      null,
      400,
      'invalid_operation',
    ],
    [
      'a missing credential, before api_key_id',
      { operation: 'agent_score', subject: nothing, idempotency_key: 'k', api_key_id: randomUUID() },
      null,
      401,
      'unauthorized',
    ],
    [
      'an unknown credential, before api_key_id',
      { operation: 'agent_score', subject: nothing, idempotency_key: 'k', api_key_id: randomUUID() },
      unknown,
      401,
      'unauthorized',
    ],
  ] as [string, object | string, string | null, number, string][])(
    '%s',
    async (_what, payload, secret, status, code) => {
      const before = await rows();

      const answer = await post(RUN, payload, secret);

      expect(answer).toMatchObject({ status, body: { ok: false, code } });
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(await rows()).toEqual(before);
    },
  );

  it('api_key_id, scope, earlier run, balance, subject: in this order, and without a trace', async () => {
    const poor = await makeAccount(test.database, { plan: 'pro' });
    const unscoped = await makeKey(test.database, poor.accountId, { scopes: ['agents:register'] });
    expect(await post(RUN, body({ idempotency_key: 'k' }), poor.key.secret)).toMatchObject({ status: 200 });
    await spendEverything(poor);
    const before = await rows();
    const broken = { subject: nothing, idempotency_key: 'k' };

    const answers = [
      await post(RUN, body({ ...broken, api_key_id: poor.key.id }), unscoped.secret),
      await post(RUN, body(broken), unscoped.secret),
      await post(RUN, body(broken), poor.key.secret),
      await post(RUN, body({ idempotency_key: 'k' }), poor.key.secret),
      await post(RUN, body({ subject: nothing }), poor.key.secret),
      await post(RUN, body({ subject: nothing }), account.key.secret),
    ];

    expect(answers.map(({ status, body: { code } }) => [status, code])).toEqual([
      [403, 'key_mismatch'],
      [403, 'insufficient_scope'],
      [422, 'idempotency_key_reused'],
      [200, undefined],
      [402, 'insufficient_credits'],
      [404, 'subject_not_found'],
    ]);
    expect(answers[3]?.headers['idempotent-replayed']).toBe('true');
    expect(answers[3]?.body).toMatchObject({ ok: true, result: null, idempotent: true });
    expect(await rows()).toEqual(before);
  });
});

describe('the metered route', () => {
  it('distinguishes four kinds of bad credentials, and reveals nothing else', async () => {
    const texts = async (change: string | null, secret: string | null) => {
      const owner = await makeAccount(test.database);
      if (change) await test.database.query(`UPDATE access_key SET ${change} WHERE id = $1`, [owner.key.id]);
      const answer = await post(RUN, body(), secret === 'own' ? owner.key.secret : secret);
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      return answer.body.error;
    };

    const missing = await texts(null, null);
    const malformed = await texts(null, 'svc_live_short');
    const foreign = await texts(null, newSecret());
    const expired = await texts('expires_at = ledger_now()', 'own');
    const revoked = await texts('revoked_at = ledger_now(), expires_at = ledger_now()', 'own');

    expect(malformed).toBe(foreign);
    expect(new Set([missing, malformed, expired, revoked]).size).toBe(4);
  });

  it('answers 502 with the receipt of the attempt, without the backend’s answer', async () => {
    backend.behave(refuse);
    const answer = await post(RUN, body(), account.key.secret);
    backend.behave(usual);

    expect(answer).toMatchObject({
      status: 502,
      body: { ok: false, code: 'scoring_failed', ledger_id: backend.calls.at(-1) },
    });
    expect(JSON.stringify(answer.body)).not.toContain('stand-in');
  });

  it.each(['PUT', 'PATCH', 'DELETE', 'GET', 'HEAD'] as const)('does not accept %s', async (method) => {
    const answer = await app.inject({ method, url: RUN });

    expect(answer.statusCode).toBe(405);
    expect(answer.headers.allow).toBe('POST');
  });

  it.each([
    'text/plain',
    'application/json-patch+json',
    'application/x-www-form-urlencoded',
    'application/jsonx',
  ])('does not read a body of type %s', async (type) => {
    const headers = { 'content-type': type, authorization: `Bearer ${account.key.secret}` };
    const answer = await app.inject({ method: 'POST', url: RUN, headers, payload: JSON.stringify(body()) });

    expect(answer.statusCode).toBe(415);
  });

  it.each([
    '{"__proto__":{"dry_run":true},',
    '{"constructor":{"prototype":{"dry_run":true}},',
    '{"\\u005f_proto__":{},',
  ])('refuses a body that begins %s', async (start) => {
    const answer = await post(RUN, start + JSON.stringify(body()).slice(1), account.key.secret);

    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_json' } });
    expect(({} as Record<string, unknown>).dry_run).toBeUndefined();
  });

  it.each([
    ['a list', '[]', RUN],
    ['nothing but null', 'null', RUN],
    ['half a character', '{"operation":"agent_score","subject":"a/\\ud800","idempotency_key":"k"}', RUN],
    [
      'an address with a query',
      '{"operation":"agent_score","subject":"a/b","idempotency_key":"k"}',
      `${RUN}?x=1`,
    ],
    ['a list to register', '[]', REGISTER],
  ])('refuses %s', async (_what, payload, url) => {
    const answer = await post(url, payload, account.key.secret);

    expect(answer.status).toBe(400);
    expect(answer.body.code ?? answer.body.error).toBe('invalid_request');
  });
});

describe('registration', () => {
  it('checks the contract, then the credential, then the scope', async () => {
    const reader = await makeAccount(test.database, { plan: 'pro' });
    const unscoped = await makeKey(test.database, reader.accountId, { scopes: ['scores:read'] });
    const good = { repoHostUrl: 'https://github.com/a/b', name: 'n', description: 'd', category: 'coding' };

    const answers = [
      await post(REGISTER, { ...good, category: 'x' }, null),
      await post(REGISTER, good, null),
      await post(REGISTER, good, newSecret()),
      await post(REGISTER, good, unscoped.secret),
    ];

    expect(answers.map(({ body: { status, error } }) => [status, error])).toEqual([
      [400, 'invalid_request'],
      [401, 'unauthorized'],
      [401, 'unauthorized'],
      [403, 'forbidden'],
    ]);
  });
});
