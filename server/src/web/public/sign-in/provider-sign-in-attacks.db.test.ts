import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { setClock, shiftClock } from '../../../../testing/clock.ts';
import { makeAccount } from '../../../../testing/factories.ts';
import { type Shown, SignInBrowser } from '../../../../testing/sign-in/sign-in-browser.ts';
import { openSignInWorld, SITE, type SignInWorld } from '../../../../testing/sign-in/sign-in-world.ts';

let world: SignInWorld;
let app: FastifyInstance;
let accountId: string;

beforeAll(async () => {
  world = await openSignInWorld();
  const github = { GITHUB_CLIENT_ID: 'app', GITHUB_CLIENT_SECRET: 'app-secret' };
  app = await world.start({ SIGN_UP: 'open', ...github });
  accountId = (await makeAccount(world.database)).accountId;
  await world.allowSignIn(accountId, 'victim');
});
afterEach(() => {
  world.idp.overrideAnswer = undefined;
});
afterAll(() => world.close());

const newBrowser = () => new SignInBrowser(app, SITE);

/** Opens a callback's URL as the provider's redirect does. */
const comeBack = (browser: SignInBrowser, url: string) => browser.open(url, { from: 'cross-site' });

function changed(url: string, change: (query: URLSearchParams) => void): string {
  const copy = new URL(url);
  change(copy.searchParams);
  return copy.href;
}

async function sessions(): Promise<number> {
  const rows = await world.database.query("SELECT id FROM session WHERE opened_by = 'sign_in'");
  return rows.length;
}

async function expectRefused(browser: SignInBrowser, attempt: Promise<Shown>, status = 400): Promise<void> {
  const before = [await sessions(), browser.cookie('__Host-sid')];
  const answer = await attempt;
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.body).toContain('href="/sign-in"');
  expect([await sessions(), browser.cookie('__Host-sid')]).toEqual(before);
}

describe('a callback', () => {
  it('is accepted once, even if sent concurrently', async () => {
    const browser = newBrowser();
    const url = await world.callback(browser, 'victim');
    const cookie = browser
      .attempts()
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const before = await sessions();

    const answers = await Promise.all(
      Array.from({ length: 6 }, () => app.inject({ url: url.slice(SITE.length), headers: { cookie } })),
    );

    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 400, 400, 400, 400, 400]);
    expect(await sessions()).toBe(before + 1);
    await expectRefused(browser, comeBack(browser, url));
  });

  it('is rejected in another browser, with or without an attempt there', async () => {
    const url = await world.callback(newBrowser(), 'victim');
    const [bare, busy] = [newBrowser(), newBrowser()];
    await world.callback(busy, 'attacker');

    await expectRefused(bare, comeBack(bare, url));
    await expectRefused(busy, comeBack(busy, url));
  });

  it("forced on a person by an attacker does not use up that person's attempt", async () => {
    const [person, attacker] = [newBrowser(), newBrowser()];
    const own = await world.callback(person, 'victim');
    const foreign = await world.callback(attacker, 'attacker');

    await expectRefused(person, comeBack(person, foreign));

    expect((await comeBack(person, own)).url).toBe(`${SITE}/console`);
  });

  it.each([
    ['another state', (query: URLSearchParams) => query.set('state', 'x'.repeat(43))],
    ['no state', (query: URLSearchParams) => query.delete('state')],
    ['two states', (query: URLSearchParams) => query.append('state', query.get('state') ?? '')],
    ['no code', (query: URLSearchParams) => query.delete('code')],
    ['another code', (query: URLSearchParams) => query.set('code', 'x'.repeat(43))],
    ['another issuer', (query: URLSearchParams) => query.set('iss', 'https://evil.example')],
    ['no issuer, although this provider names itself', (query: URLSearchParams) => query.delete('iss')],
  ])('with %s is rejected', async (_name, change) => {
    const browser = newBrowser();
    const url = await world.callback(browser, 'victim');

    await expectRefused(browser, comeBack(browser, changed(url, change)));
  });

  it('with the code of another person’s attempt is rejected, because the PKCE verifier differs', async () => {
    const [person, attacker] = [newBrowser(), newBrowser()];
    const own = new URL(await world.callback(attacker, 'attacker'));
    const stolen = new URL(await world.callback(person, 'victim'));

    const injected = changed(own.href, (query) => query.set('code', stolen.searchParams.get('code') ?? ''));

    await expectRefused(attacker, comeBack(attacker, injected));
    expect(world.log.join('')).toContain('"reason":"invalid_grant"');
  });

  it('at the path of another provider is rejected', async () => {
    const browser = newBrowser();
    const url = await world.callback(browser, 'victim');

    const elsewhere = url.replace('/sign-in/callback?', '/sign-in/callback/github?');

    await expectRefused(browser, comeBack(browser, elsewhere));
  });

  it('after ten minutes is rejected, and removed by the next attempt', async () => {
    const [late, later, other] = [newBrowser(), newBrowser(), newBrowser()];
    const urls = [await world.callback(late, 'victim'), await world.callback(later, 'victim')];
    await shiftClock(world.database, '9 minutes 50 seconds');
    expect((await comeBack(late, urls[0] ?? '')).url).toBe(`${SITE}/console`);
    await shiftClock(world.database, '10 minutes 1 second');
    await expectRefused(later, comeBack(later, urls[1] ?? ''));

    await shiftClock(world.database, '1 hour');
    await other.open('/sign-in/with/oidc');
    expect(await world.database.query('SELECT expires_at FROM sign_in_attempt')).toHaveLength(1);
    await setClock(world.database, null);
  });

  it('that reports a denial is explained, and keeps an earlier session', async () => {
    const { browser } = await world.signIn(app, 'victim');
    const url = await world.callback(browser, 'victim');
    const no = changed(url, (query) => {
      query.delete('code');
      query.set('error', 'access_denied');
      query.set('error_description', '<script>alert(1)</script>');
    });

    await expectRefused(browser, comeBack(browser, no), 403);
    expect((await browser.open('/sign-in')).body).toContain('You are signed in.');
  });
});

describe('an ID token', () => {
  const evil = 'https://evil.example';
  it.each<[string, (own: Record<string, unknown>) => object, { alg?: string; kid?: string }]>([
    ['of another issuer', () => ({ iss: evil }), {}],
    ['for another client', () => ({ aud: 'another-client' }), {}],
    ['for several clients, made for another', (own) => ({ aud: [own.aud, 'x'], azp: 'x' }), {}],
    ['of another attempt', () => ({ nonce: 'x'.repeat(43) }), {}],
    ['of no attempt', () => ({ nonce: undefined }), {}],
    ['that has expired', () => ({ exp: Math.floor(Date.now() / 1000) - 120 }), {}],
    ['of nobody', () => ({ sub: undefined }), {}],
    ['without a signature', () => ({ sub: 'victim' }), { alg: 'none' }],
    ['signed by the client’s secret', () => ({ sub: 'victim' }), { alg: 'HS256' }],
    ['with an unknown key', () => ({ sub: 'victim' }), { kid: 'other' }],
  ])('%s is rejected', async (_name, claims, header) => {
    const browser = newBrowser();
    const url = await world.callback(browser, 'attacker');
    world.forge(claims, header);

    await expectRefused(browser, comeBack(browser, url));
  });

  it('that was modified in transit is rejected', async () => {
    const browser = newBrowser();
    const url = await world.callback(browser, 'attacker');
    world.idp.overrideAnswer = (path, response, body) => {
      if (path !== '/token') return undefined;
      const answer = JSON.parse(body) as { id_token: string };
      const [header, claims = '', signature] = answer.id_token.split('.');
      const own = JSON.parse(Buffer.from(claims, 'base64url').toString());
      const changedClaims = Buffer.from(JSON.stringify({ ...own, sub: 'victim' })).toString('base64url');
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...answer, id_token: `${header}.${changedClaims}.${signature}` }));
      return true;
    };

    await expectRefused(browser, comeBack(browser, url));
  });

  it('with the provider’s signature is accepted, so the others are rejected for their claims', async () => {
    const browser = newBrowser();
    const url = await world.callback(browser, 'attacker');
    world.forge(() => ({ sub: 'somebody' }));

    expect((await comeBack(browser, url)).url).toBe(`${SITE}/console/handle`);
  });
});
