import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../../testing/at-night.ts';
import { sampleUnlessNightly } from '../../../../testing/nightly.ts';
import { SignInBrowser } from '../../../../testing/sign-in/sign-in-browser.ts';
import { openSignInWorld, SITE, type SignInWorld } from '../../../../testing/sign-in/sign-in-world.ts';
import type { AnswerOverride } from '../../../../testing/stand-ins/stand-in-identity-provider.ts';
import type { IdentityProvider } from '../../../accounts/sign-in/identity-provider.ts';
import { createOidcProvider } from '../../../accounts/sign-in/identity-provider-oidc.ts';
import { attemptSecrets } from '../../../accounts/sign-in/sign-in-attempt.ts';

const DISCOVERY = '/.well-known/openid-configuration';
const HUGE = ' '.repeat(600 * 1024);

let world: SignInWorld;
let app: FastifyInstance;

beforeAll(async () => {
  world = await openSignInWorld();
  app = await world.start({ SIGN_UP: 'open' });
});
beforeEach(() => {
  world.log.length = 0;
});
afterEach(() => {
  world.idp.start();
  world.idp.overrideAnswer = undefined;
});
afterAll(() => world.close());

/** Creates an identity provider client without cached metadata, as a new process has it. */
function createProvider(): IdentityProvider {
  const { issuer, clientId, clientSecret } = world.idp;
  const options = { callbackUrl: `${SITE}/sign-in/callback`, readsHandle: false, timeoutMs: 1_000 };
  return createOidcProvider({ issuer, clientId, clientSecret, name: 'Example ID' }, options);
}

/** Replaces the response of one of the provider's endpoints. */
function answerOn(
  place: string,
  status: number,
  headers: Record<string, string>,
  text: string,
): AnswerOverride {
  return (path, response) => {
    if (path !== place) return undefined;
    response.writeHead(status, headers).end(text);
    return true;
  };
}

const JSON_TYPE = { 'content-type': 'application/json' };
const TROUBLES: [string, number, Record<string, string>, string][] = [
  ['an error page', 500, { 'content-type': 'text/html' }, '<h1>Oops</h1>'],
  ['a page in place of JSON', 200, { 'content-type': 'text/html' }, '<h1>Sign in to the network</h1>'],
  ['broken JSON', 200, JSON_TYPE, '{"issuer":'],
  ['a redirect', 302, { location: 'http://127.0.0.1:1/' }, ''],
  ['more than anybody needs', 200, JSON_TYPE, `{"issuer":"${HUGE}"}`],
];

describe('an unavailable provider', () => {
  it('affects only sign-in with this provider, which answers 503 until the provider recovers', async () => {
    world.idp.stop();
    const late = await world.start({ SIGN_UP: 'open' });
    const browser = new SignInBrowser(late, SITE);

    expect((await browser.open('/')).status).toBe(200);
    expect((await browser.open('/sign-in')).body).toContain('Sign in with');
    const away = await browser.open('/sign-in/with/oidc', { from: 'same-origin' });
    expect(away.status).toBe(503);
    expect(away.headers.get('retry-after')).toBe('30');
    expect(away.body).toContain('contact the operator of this directory');
    expect(world.log.join('')).toContain('"reason":"no_answer","msg":"sign-in failed"');

    world.idp.start();
    expect((await world.signIn(late, 'patient')).end.url).toBe(`${SITE}/console/handle`);
  });

  itAtNight(
    'during the callback leads to a 503 without a session; a new sign-in works afterwards',
    async () => {
      const browser = new SignInBrowser(app, SITE);
      const url = await world.callback(browser, 'unlucky');
      world.idp.stop();

      const away = await browser.open(url, { from: 'cross-site' });

      expect(away.status).toBe(503);
      expect(browser.cookie('__Host-sid')).toBeUndefined();
      expect(browser.attempts()).toEqual([]);
      world.idp.start();
      expect((await world.signIn(app, 'unlucky')).end.url).toBe(`${SITE}/console/handle`);
    },
  );
});

describe('a provider that hangs', () => {
  it.each(sampleUnlessNightly([DISCOVERY, '/token'], (place) => place === '/token'))(
    'at %s times out, and is reported as unavailable',
    async (place) => {
      const provider = createProvider();
      const secrets = attemptSecrets('token');
      const setOut = () => provider.authorizationUrl(secrets, { again: false });
      if (place !== DISCOVERY) await setOut();
      world.idp.overrideAnswer = (path) => path === place || undefined;

      const { state } = secrets;
      const attempt =
        place === DISCOVERY
          ? setOut()
          : provider.identify(new URLSearchParams({ code: 'c', state, iss: world.idp.issuer }), secrets);

      await expect(attempt).rejects.toMatchObject({ kind: 'unavailable', reason: 'timeout' });
      await provider.close();
    },
  );
});

describe('an answer of the provider', () => {
  it.each(sampleUnlessNightly(TROUBLES, (_, index) => index === 0))(
    'that is %s instead of metadata fails as unavailable, and is requested again',
    async (_name, ...answer) => {
      const provider = createProvider();
      world.idp.overrideAnswer = answerOn(DISCOVERY, ...answer);
      const setOut = () => provider.authorizationUrl(attemptSecrets('token'), { again: false });

      await expect(setOut()).rejects.toMatchObject({ name: 'SignInFailure', kind: 'unavailable' });

      world.idp.overrideAnswer = undefined;
      expect((await setOut()).href).toContain(world.idp.issuer);
      await provider.close();
    },
  );

  it.each(sampleUnlessNightly(TROUBLES, (_, index) => index === 1))(
    'that is %s instead of a token leads to a 503',
    async (_name, ...answer) => {
      const browser = new SignInBrowser(app, SITE);
      const url = await world.callback(browser, 'somebody');
      world.idp.overrideAnswer = answerOn('/token', ...answer);

      expect((await browser.open(url, { from: 'cross-site' })).status).toBe(503);
      expect(browser.cookie('__Host-sid')).toBeUndefined();
    },
  );

  const METADATA: [what: string, change: object][] = [
    ['another issuer', { issuer: 'https://evil.example' }],
    ['an address that is none of the web', { authorization_endpoint: 'javascript:alert(1)' }],
    ['no address to go to', { authorization_endpoint: undefined }],
  ];

  it.each(sampleUnlessNightly(METADATA, ([what]) => what === 'another issuer'))(
    'that names %s leads to a 503',
    async (_name, change) => {
      world.idp.overrideAnswer = (path, response, body) => {
        if (path !== DISCOVERY) return undefined;
        response.writeHead(200, JSON_TYPE).end(JSON.stringify({ ...JSON.parse(body), ...change }));
        return true;
      };

      const provider = createProvider();
      const setOut = provider.authorizationUrl(attemptSecrets('token'), { again: false });
      await expect(setOut).rejects.toMatchObject({ name: 'SignInFailure', kind: 'unavailable' });
      await provider.close();
    },
  );

  it('with its metadata is requested once by concurrent callers, and then cached', async () => {
    const before = world.idp.requestCounts.get(DISCOVERY) ?? 0;
    const provider = createProvider();
    const setOut = () => provider.authorizationUrl(attemptSecrets('token'), { again: false });

    await Promise.all(Array.from({ length: 8 }, setOut));
    await setOut();

    expect(world.idp.requestCounts.get(DISCOVERY)).toBe(before + 1);
    await provider.close();
  });
});

describe('a client secret that the provider rejects', () => {
  it('leads to a 503 that the log explains, without any secret, code or token', async () => {
    const misled = await world.start({ OIDC_CLIENT_SECRET: 'hunter2hunter2' });
    const browser = new SignInBrowser(misled, SITE);
    const url = await world.callback(browser, 'somebody');
    const [attempt] = browser.attempts();
    const end = await browser.open(url, { from: 'cross-site' });
    await world.signIn(app, 'somebody');

    expect(end.status).toBe(503);
    const log = world.log.join('');
    expect(log).toContain('"reason":"invalid_client"');
    const secrets = ['hunter2hunter2', world.idp.clientSecret, attempt?.value];
    for (const address of [...browser.visited, url]) secrets.push(...new URL(address).searchParams.values());
    const long = secrets.filter((secret) => secret !== undefined && secret.length > 12);
    expect(long.length).toBeGreaterThan(5);
    for (const secret of long) expect(log).not.toContain(secret);
  });
});
