import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { buildApp } from '../../../app.ts';
import { loadConfig } from '../../../platform/config/load-config.ts';
import { createServices, type Services } from '../../../services.ts';

/** Headers that a browser sends for a page. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const PROGRAMS = [{}, { accept: '*/*' }, { accept: 'application/json' }, { accept: 'text/html;q=0, */*' }];

let test: TestDatabase;
let services: Services;
let app: FastifyInstance;

beforeAll(async () => {
  test = await createTestDatabase();
  services = createServices(loadConfig({ LOG_LEVEL: 'silent' }), { databaseUrl: test.url });
  app = await buildApp(services);
});
afterAll(async () => {
  await app?.close();
  await services?.close();
  await test?.close();
});

const UNROUTED = [
  ['GET', '/nothing', 404],
  ['GET', '/docs/nothing', 404],
  ['GET', '/a/b/c/d/e', 404],
  ['GET', '/api/nothing', 404],
  ['GET', '/api/svc/nothing', 404],
  ['GET', '/api/agents/register', 405],
  ['GET', '/api/svc/operations/run', 405],
  ['POST', '/method', 405],
  ['POST', '/api/agents', 405],
] as const;

describe('a request without a route', () => {
  it.each(UNROUTED)('%s %s gets a page in a browser, with status %s', async (method, url, status) => {
    const answer = await app.inject({ method, url, headers: BROWSER });

    expect(answer.statusCode).toBe(status);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.body).toMatch(/^<!doctype html>/);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': expect.any(String),
    });
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect(answer.headers.allow === undefined).toBe(status === 404);
    expect(answer.body).toContain(status === 404 ? 'There is no page at this address' : 'Method not allowed');
    expect(answer.body).not.toContain('Searching does not');
  });

  it.each(UNROUTED)('%s %s gets JSON in a program, with status %s', async (method, url, status) => {
    for (const headers of PROGRAMS) {
      const answer = await app.inject({ method, url, headers });

      expect(answer.statusCode).toBe(status);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.json().code ?? answer.json().error).toBe(
        status === 404 ? 'not_found' : 'method_not_allowed',
      );
    }
  });
});

/** Requests that the router or Node rejects before any hook runs. */
const REJECTED = [
  ['a malformed percent escape', { path: '/%zz' }, 400, 'a % that stands for no character'],
  ['an incomplete UTF-8 sequence', { path: '/c/%E0%A4' }, 400, 'a % that stands for no character'],
  [
    'a path segment that is too long',
    { path: `/a/${'a'.repeat(1_100)}/x` },
    414,
    'longer than 1024 characters',
  ],
  ['a URL that is too long', { path: `/a/${'a'.repeat(20_000)}` }, 431, 'Shorten the address'],
  ['too many cookies', { path: '/', headers: { cookie: 'a'.repeat(20_000) } }, 431, 'delete the cookies'],
] as const;

describe('a request that is rejected before routing', () => {
  let url: string;
  beforeAll(async () => {
    url = await app.listen({ host: '127.0.0.1', port: 0 });
  });

  it.each(REJECTED)('%s gets a page in a browser', async (_what, { path, ...sent }, status, words) => {
    const answer = await fetch(`${url}${path}`, {
      headers: { ...BROWSER, ...('headers' in sent && sent.headers) },
    });

    const page = await answer.text();
    expect(answer.status).toBe(status);
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toContain(words);
    expect(page).toContain('<a href="/agents">');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-request-id': expect.any(String),
    });
  });

  it.each(['/api/%E0%A4', '/api/agents/%zz'])('gets JSON below /api, even in a browser: %s', async (path) => {
    const answer = await fetch(`${url}${path}`, { headers: BROWSER });

    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await answer.json()).toMatchObject({ error: 'invalid_request', status: 400 });
  });

  it.each(['/api/svc/%zz', '/api/svc/operations/%E0'])(
    'gets a response in the format of metered calls: %s',
    async (path) => {
      const answer = await fetch(`${url}${path}`, { headers: BROWSER });

      expect([answer.status, await answer.json()]).toEqual([
        400,
        expect.objectContaining({ ok: false, code: 'invalid_request' }),
      ]);
    },
  );

  it.each(['', ' '])('an empty body with the type %j is not rejected for its type', async (type) => {
    const answer = await fetch(`${url}/api/svc/operations/run`, {
      method: 'POST',
      headers: { 'content-type': type },
    });

    expect([answer.status, await answer.json()]).not.toEqual([415, expect.anything()]);
    expect(answer.status).toBe(400);
  });

  it('a body with an empty type is rejected as an unknown type', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/svc/operations/run',
      headers: { 'content-type': '' },
      payload: '{}',
    });

    expect(answer.statusCode).toBe(415);
  });

  it.each(REJECTED)('%s gets JSON in a program', async (_what, { path, ...sent }, status, words) => {
    const answer = await fetch(`${url}${path}`, sent);

    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await answer.json()).toEqual({
      error: 'invalid_request',
      message: expect.stringContaining(words),
      status,
    });
  });
});

it('an API endpoint returns errors as JSON, even to browsers', async () => {
  const answer = await app.inject({ url: '/api/agents/AGT-ZZZZZZZZ', headers: BROWSER });

  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({ error: 'not_found' });
});
