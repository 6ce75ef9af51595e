import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { makeAccount, makeSession } from '../../../../testing/factories.ts';
import { buildApp } from '../../../app.ts';
import { createServices, type Services } from '../../../services.ts';
import { loadConfig } from '../../config/load-config.ts';
import { formToken } from '../credentials/credential.ts';
import { hashSecret } from '../credentials/secret.ts';

const SITE = 'https://trust.example';
const FORM = { origin: SITE, 'content-type': 'application/x-www-form-urlencoded' };

let test: TestDatabase;
let services: Services;
let app: FastifyInstance;
let cookie: string;

beforeAll(async () => {
  test = await createTestDatabase();
  const limits = {
    RATE_LIMIT_PUBLIC_PER_MINUTE: '1',
    RATE_LIMIT_READ_PER_MINUTE: '1',
    RATE_LIMIT_WRITE_PER_MINUTE: '1',
    RATE_LIMIT_METERED_PER_MINUTE: '2',
    RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: '2',
  };
  const env = {
    DATABASE_URL: test.url,
    LOG_LEVEL: 'silent',
    PUBLIC_URL: SITE,
    TRUST_PROXY: '127.0.0.1/32',
    ...limits,
  };
  services = createServices(loadConfig(env), { databaseUrl: test.url });
  app = await buildApp(services);
});
beforeEach(async () => {
  const { accountId } = await makeAccount(test.database);
  cookie = `__Host-sid=${(await makeSession(test.database, accountId)).token}`;
});
afterAll(async () => {
  await app.close();
  await services.close();
  await test.close();
});

type Ask = () => Promise<LightMyRequestResponse>;
let addresses = 0;

/** Requests a page from a new address, and again above the limit. */
async function askTwice(make: (address: string) => Ask): Promise<LightMyRequestResponse> {
  addresses += 1;
  const ask = make(`203.0.113.${addresses}`);
  expect((await ask()).statusCode).not.toBe(429);
  return ask();
}

const open = (url: string) => (address: string) => () =>
  app.inject({ url, headers: { cookie, 'x-forwarded-for': address } });
const send = (url: string, payload: string) => (address: string) => () =>
  app.inject({ method: 'POST', url, payload, headers: { ...FORM, cookie, 'x-forwarded-for': address } });

describe('the console', () => {
  it('leads an address to the sign-in that has a cookie of no session, but not one that tries many', async () => {
    const guess = (address: string, token: string) =>
      app.inject({ url: '/console', headers: { cookie: `__Host-sid=${token}`, 'x-forwarded-for': address } });
    const guesses = [...'abc'].map((letter) => letter.repeat(43));

    const statuses: number[] = [];
    for (const token of guesses) statuses.push((await guess('198.51.100.1', token)).statusCode);

    expect(statuses).toEqual([303, 303, 429]);
    const other = await guess('198.51.100.2', 'd'.repeat(43));
    expect(other.statusCode).toBe(303);
    const { statusCode } = await app.inject({
      url: '/console/session',
      headers: { cookie, 'x-forwarded-for': '198.51.100.1' },
    });
    expect(statusCode).toBe(200);
  });
});

describe('the form that runs a call', () => {
  it('is counted as a call of its account, from whichever session, and not as a change', async () => {
    const { accountId } = await makeAccount(test.database);
    const sessions = [
      await makeSession(test.database, accountId),
      await makeSession(test.database, accountId),
    ];
    const [one = '', two = ''] = sessions.map(({ token }) => `__Host-sid=${token}`);
    const statuses: number[] = [];
    for (const cookie of [one, two, one, two]) {
      const { statusCode, headers } = await app.inject({
        method: 'POST',
        url: '/console/run',
        payload: `form_token=${formToken({ kind: 'session', hash: hashSecret(cookie.slice('__Host-sid='.length)) })}`,
        headers: { ...FORM, cookie },
      });
      statuses.push(statusCode);
      expect(headers['x-ratelimit-limit']).toBe('2');
    }

    expect(statuses).toEqual([400, 400, 429, 429]);
  });
});

describe('a page that is asked for too often', () => {
  it.each([
    ['a public page', open('/'), false],
    ['the sign-in', open('/sign-in'), false],
    ['a page of the console', open('/console/session'), false],
    ['a form of the console', send('/console/handle', 'handle=somebody'), true],
    ['a form of the console whose body is no form', send('/console/keys/new', '\u0000{'), true],
    ['the form of a sign-in link', send('/sign-in', 'token=x'), true],
    ['the form that signs out', send('/sign-out', ''), true],
  ])('(%s) says so in words, and how to go on', async (_name, make, isForm) => {
    const { statusCode, headers, body } = await askTwice(make);

    expect(statusCode).toBe(429);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    const seconds = Number(headers['retry-after']);
    expect(body).toContain('<h1>Too many requests</h1>');
    expect(body).toContain(seconds === 1 ? 'Wait a second' : `Wait ${seconds} seconds`);
    expect(body.includes('all that you typed')).toBe(isForm);
    expect(body).not.toContain('rate_limited');
  });
});
