import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeAccount } from '../../../../testing/factories.ts';
import { sampleUnlessNightly } from '../../../../testing/nightly.ts';
import { type Shown, SignInBrowser } from '../../../../testing/sign-in/sign-in-browser.ts';
import { openSignInWorld, SITE, type SignInWorld } from '../../../../testing/sign-in/sign-in-world.ts';
import { type StandInGithub, startGithub } from '../../../../testing/stand-ins/stand-in-github.ts';

let world: SignInWorld;
let github: StandInGithub;
let app: FastifyInstance;

beforeAll(async () => {
  world = await openSignInWorld();
  github = await startGithub(`${SITE}/sign-in/callback/github`);
  app = await world.start({
    SIGN_UP: 'open',
    GITHUB_CLIENT_ID: github.clientId,
    GITHUB_CLIENT_SECRET: github.clientSecret,
    GITHUB_OAUTH_URL: github.url,
    // Makes the server request the person's name from the provider.
    SIGN_IN_PROVES: `${world.idp.issuer}=repo_host:git.example`,
  });
});
afterEach(() => {
  world.idp.overrideAnswer = undefined;
});
afterAll(async () => {
  await github.close();
  await world.close();
});

/** Completes a sign-in in which the provider states these claims about the person. */
async function comeBackAs(claims: object): Promise<{ browser: SignInBrowser; end: Shown }> {
  const browser = new SignInBrowser(app, SITE);
  const url = await world.callback(browser, 'attacker');
  // With a name in the token, the server does not query the provider.
  world.forge(() => ({ preferred_username: 'somebody', ...claims }));
  return { browser, end: await browser.open(url, { from: 'cross-site' }) };
}

async function accounts(): Promise<number> {
  const rows = await world.database.query('SELECT id FROM account');
  return rows.length;
}

async function accountOf(browser: SignInBrowser): Promise<string> {
  const headers = { cookie: `__Host-sid=${browser.cookie('__Host-sid')}` };
  const answer = await app.inject({ url: '/api/console/session', headers });
  return answer.json().account.id;
}

describe('a subject', () => {
  const UNUSABLE: [what: string, subject: unknown][] = [
    ['empty', ''],
    ['longer than the maximum', 'x'.repeat(256)],
    ['very long', 'x'.repeat(100_000)],
    ['one with a NUL in it', 'ada\u0000'],
    ['one with a lone surrogate', 'ada\ud800'],
    ['one with an invisible character', 'ada\u200b'],
    ['one of two lines', 'ada\nIssuer'],
    ['a number', 42],
    ['a list', ['ada']],
    ['nothing', null],
  ];

  it.each(sampleUnlessNightly(UNUSABLE, ([what]) => what === 'nothing' || what.startsWith('longer')))(
    'that is %s is rejected, and creates no account',
    async (_name, sub) => {
      const before = await accounts();

      const { browser, end } = await comeBackAs({ sub });

      expect(end.status).toBe(400);
      expect(end.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(end.body.length).toBeLessThan(10_000);
      expect(browser.cookie('__Host-sid')).toBeUndefined();
      expect(await accounts()).toBe(before);
    },
  );

  it('is compared exactly: similar subjects have separate accounts', async () => {
    const alike = ['ada', 'Ada', 'ada ', '\u0430da', '\u00e9', 'e\u0301', 'x'.repeat(255), 'x'.repeat(254)];
    const ids = new Set<string>();
    for (const sub of alike) ids.add(await accountOf((await comeBackAs({ sub })).browser));

    expect(ids.size).toBe(alike.length);
  });

  it('that two providers use is two different people', async () => {
    github.user = { id: 583231, login: 'octocat', created_at: '2014-05-01T10:00:00Z' };
    const browser = new SignInBrowser(app, SITE);
    await browser.open('/sign-in/with/github', { from: 'same-origin' });

    const { browser: other } = await comeBackAs({ sub: '583231' });

    expect(await accountOf(other)).not.toBe(await accountOf(browser));
  });
});

describe('other data of a provider about a person', () => {
  it('never links accounts by e-mail address or name', async () => {
    const { accountId, handle } = await makeAccount(world.database);
    await world.allowSignIn(accountId, 'victim');
    const told = {
      email: 'victim@trust.example',
      email_verified: true,
      name: handle,
      preferred_username: handle,
    };
    await comeBackAs({ sub: 'victim', ...told });

    const { browser } = await comeBackAs({ sub: 'not-the-victim', ...told });

    expect(await accountOf(browser)).not.toBe(accountId);
  });

  it('about another person, from the userinfo endpoint, is rejected', async () => {
    const browser = new SignInBrowser(app, SITE);
    const url = await world.callback(browser, 'attacker');
    const before = await accounts();
    world.idp.overrideAnswer = (path, response) => {
      if (path !== '/me') return undefined;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ sub: 'victim', preferred_username: 'victim' }));
      return true;
    };

    const end = await browser.open(url, { from: 'cross-site' });

    expect(end.status).toBe(400);
    expect(browser.cookie('__Host-sid')).toBeUndefined();
    expect(await accounts()).toBe(before);
  });
});
