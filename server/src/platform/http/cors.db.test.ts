import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { createStandIn } from '../../../testing/stand-ins/stand-in-backend.ts';
import { buildApp } from '../../app.ts';
import { createServices, type Services } from '../../services.ts';
import { loadConfig } from '../config/load-config.ts';

const NAMED = 'https://app.example';
const STRANGER = 'https://stranger.example';

let test: TestDatabase;
const servers: { services: Services; app: FastifyInstance }[] = [];
let open: FastifyInstance;
let closed: FastifyInstance;

async function start(environment: Record<string, string>): Promise<FastifyInstance> {
  const config = loadConfig({ LOG_LEVEL: 'silent', ...environment });
  const services = createServices(config, { databaseUrl: test.url, backend: createStandIn() });
  const app = await buildApp(services);
  servers.push({ services, app });
  return app;
}

beforeAll(async () => {
  test = await createTestDatabase();
  open = await start({ CORS_ORIGINS: NAMED });
  closed = await start({});
});
afterAll(async () => {
  for (const { app, services } of servers) {
    await app.close();
    await services.close();
  }
  await test.close();
});

/**
 * Returns who may read a response, according to the response and to a preflight; `credentials` must never be allowed.
 */
async function readers(app: FastifyInstance, method: 'GET' | 'POST' | 'DELETE', url: string, origin: string) {
  const answer = await app.inject({ method, url, headers: { origin } });
  const preflight = await app.inject({
    method: 'OPTIONS',
    url,
    headers: { origin, 'access-control-request-method': method },
  });
  for (const { headers } of [answer, preflight]) {
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  }
  const [one, other] = [answer, preflight].map((each) => each.headers['access-control-allow-origin']);
  expect(one).toBe(other);
  return one ?? null;
}

const PUBLIC = [
  '/api/agents',
  '/api/agents/AGT-00000000',
  '/api/identity/nobody',
  '/openapi.yaml',
  '/openapi.json',
  '/api/nothing',
];
const KEYED = [
  ['POST', '/api/svc/operations/run'],
  ['POST', '/api/agents/register'],
  ['GET', '/api/receipts'],
  ['GET', '/api/receipts/01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47'],
] as const;

describe('a response to a page of another origin', () => {
  it.each(PUBLIC)('of GET %s is readable by all origins', async (url) => {
    expect(await readers(open, 'GET', url, STRANGER)).toBe('*');
    expect(await readers(closed, 'GET', url, STRANGER)).toBe('*');
  });

  it.each(KEYED)('of %s %s is readable by the configured origins only', async (method, url) => {
    expect(await readers(open, method, url, NAMED)).toBe(NAMED);
    expect(await readers(open, method, url, STRANGER)).toBeNull();
    expect(await readers(closed, method, url, NAMED)).toBeNull();
  });

  it.each([
    ['GET', '/api/console/linked-accounts'],
    ['POST', '/api/console/linked-accounts'],
    ['POST', '/api/%63onsole/linked-accounts'],
    ['GET', '/api/console/nothing-here'],
    ['GET', '/livez'],
  ] as const)('of %s %s may be read by nobody', async (method, url) => {
    expect(await readers(open, method, url, NAMED)).toBeNull();
    expect(await readers(open, method, url, STRANGER)).toBeNull();
  });

  it('shows the headers that clients go by', async () => {
    const { headers } = await open.inject({
      method: 'GET',
      url: '/api/agents',
      headers: { origin: STRANGER },
    });

    expect(headers['access-control-expose-headers']).toBe(
      'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, Link, ETag, Retry-After',
    );
  });
});
