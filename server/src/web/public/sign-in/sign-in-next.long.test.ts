import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../../testing/at-night.ts';
import { setClock, shiftClock } from '../../../../testing/clock.ts';
import { makeAccount } from '../../../../testing/factories.ts';
import { sampleUnlessNightly } from '../../../../testing/nightly.ts';
import { type Shown, SignInBrowser } from '../../../../testing/sign-in/sign-in-browser.ts';
import { openSignInWorld, SITE, type SignInWorld } from '../../../../testing/sign-in/sign-in-world.ts';
import { suspendAccount } from '../../../accounts/account-lifecycle.ts';
import { MAX_ATTEMPTS } from '../../../platform/http/credentials/attempt-cookies.ts';

const SET_OUT = '/sign-in/with/oidc?next=%2Fconsole%2Fkeys%3Fstate%3Dactive';
const AGAIN = 'href="/sign-in?next=%2Fconsole%2Fkeys%3Fstate%3Dactive"';

let world: SignInWorld;
let app: FastifyInstance;

beforeAll(async () => {
  world = await openSignInWorld();
  const github = { GITHUB_CLIENT_ID: 'app', GITHUB_CLIENT_SECRET: 'app-secret' };
  app = await world.start({ SIGN_UP: 'open', ...github });
});
afterEach(() => {
  world.idp.overrideAnswer = undefined;
});
afterAll(() => world.close());

const newBrowser = () => new SignInBrowser(app, SITE);
const comeBack = (browser: SignInBrowser, url: string) => browser.open(url, { from: 'cross-site' });

async function letIn(name: string): Promise<string> {
  const { accountId } = await makeAccount(world.database);
  await world.allowSignIn(accountId, name);
  return accountId;
}

function refusal(url: string): string {
  const copy = new URL(url);
  copy.searchParams.delete('code');
  copy.searchParams.set('error', 'access_denied');
  return copy.href;
}

describe('a failed sign-in', () => {
  const troubles: [string, number, (url: string) => string | Promise<string>][] = [
    ['because the person declined', 403, refusal],
    ['because its code is invalid', 400, (url) => url.replace(/code=[^&]+/, 'code=none')],
    [
      'because it returned to another provider’s callback',
      400,
      (url) => url.replace('callback?', 'callback/github?'),
    ],
    [
      'because it took more than ten minutes',
      400,
      async (url) => {
        await shiftClock(world.database, '11 minutes');
        return url;
      },
    ],
    [
      'because the provider fails',
      503,
      (url) => {
        world.idp.overrideAnswer = (path, response) =>
          path === '/token' && response.writeHead(500).end() && true;
        return url;
      },
    ],
  ];

  it.each(sampleUnlessNightly(troubles, (_, index) => index % 3 === 0))(
    '%s links on to the requested page',
    async (name, status, happens) => {
      await letIn(name);
      const browser = newBrowser();
      const url = await world.callback(browser, name, SET_OUT);

      const page = await comeBack(browser, await happens(url));
      await setClock(world.database, null);

      expect(page.status).toBe(status);
      expect(page.body).toContain(AGAIN);
      expect(browser.attempts()).toEqual([]);
    },
  );

  itAtNight('of a suspended account links there too', async () => {
    await suspendAccount(world.database, await letIn('suspended'));

    const { end } = await world.signIn(app, 'suspended', SET_OUT);

    expect(end.status).toBe(403);
    expect(end.body).toContain(AGAIN);
  });

  it('in another browser, or in none, does not reveal the requested page', async () => {
    const [person, stranger] = [newBrowser(), newBrowser()];
    const url = await world.callback(person, 'careful', SET_OUT);

    const page = await comeBack(stranger, url);

    expect(page.status).toBe(400);
    expect(page.body).toContain('href="/sign-in"');
    expect(page.body).not.toContain('keys');
  });
});

describe('tabs of one browser', () => {
  it('can sign in concurrently: each returns to its own page', async () => {
    await letIn('many-tabs');
    const browser = newBrowser();
    const first = await world.callback(browser, 'many-tabs', SET_OUT);
    const second = await world.callback(browser, 'many-tabs', '/sign-in/with/oidc?next=%2Fmethod');

    expect((await comeBack(browser, first)).url).toBe(`${SITE}/console/keys?state=active`);
    expect((await comeBack(browser, second)).url).toBe(`${SITE}/method`);
    expect(browser.attempts()).toEqual([]);
  });

  itAtNight('are limited to a few attempts: the first expires, and must sign in again', async () => {
    const browser = newBrowser();
    const urls: string[] = [];
    for (let tab = 0; tab <= MAX_ATTEMPTS; tab += 1) {
      urls.push(await world.callback(browser, 'collector'));
      expect(browser.attempts().length).toBeLessThanOrEqual(MAX_ATTEMPTS);
    }

    const forgotten = await comeBack(browser, urls[0] ?? '');

    expect(forgotten.status).toBe(400);
    expect(forgotten.body).toContain('Sign in again from here');
    expect((await comeBack(browser, urls[1] ?? '')).url).toBe(`${SITE}/console/handle`);
  });
});

describe('a newcomer', () => {
  const arrive = async (name: string, next: string): Promise<[SignInBrowser, Shown]> => {
    const path = `/sign-in/with/oidc?next=${encodeURIComponent(next)}`;
    const { browser, end } = await world.signIn(app, name, path);
    return [browser, end];
  };

  it('chooses a handle on the way, and continues to the requested page', async () => {
    const [browser, page] = await arrive('ada', '/console/keys?state=active');
    expect(page.url).toBe(`${SITE}/console/handle?next=%2Fconsole%2Fkeys%3Fstate%3Dactive`);
    const wrong = await browser.submit(page, { handle: '-' });
    expect(wrong.status).toBe(400);

    const end = await browser.submit(wrong, { handle: 'ada-lovelace' });

    expect(end.url).toBe(`${SITE}/console/keys?state=active`);
    expect(end.status).toBe(200);
  });

  it('can postpone the choice, and continues at once', async () => {
    const [, page] = await arrive('grace', '/console/keys');

    expect(page.body).toContain('<a href="/console/keys">Not now</a>');
  });

  const CIRCLES = ['/console', '/console?x=1', '/console/handle', '/console/handle?next=%2Fconsole%2Fhandle'];

  it.each(sampleUnlessNightly(CIRCLES, (next) => next.includes('?next=')))(
    'who requested %s is not redirected in a circle',
    async (next) => {
      const [, page] = await arrive(`circling ${next}`, next);

      expect(new URL(page.url).pathname).toBe('/console/handle');
      expect(page.body).not.toContain('name="next"');
      expect(page.body).toContain('<a href="/console?handle=later">Not now</a>');
    },
  );

  const LURES = [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/sign-out',
    'javascript:alert(1)',
  ];

  it.each(sampleUnlessNightly(LURES, (next) => next.startsWith('/\\')))(
    'is not redirected to %s',
    async (next) => {
      const [browser] = await arrive(`lured ${next}`, '/console');
      const page = await browser.open(`/console/handle?next=${encodeURIComponent(next)}`);
      expect(page.body).not.toContain('name="next"');

      const name = `lured-${Buffer.from(next).toString('hex')}`;
      const end = await browser.submit(page, { handle: name, next });

      expect(end.url).toBe(`${SITE}/console?done=handle`);
    },
  );
});
