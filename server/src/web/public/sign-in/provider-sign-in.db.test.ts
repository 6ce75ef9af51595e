import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAccount } from '../../../../testing/factories.ts';
import { SignInBrowser } from '../../../../testing/sign-in/sign-in-browser.ts';
import { openSignInWorld, SITE, type SignInWorld } from '../../../../testing/sign-in/sign-in-world.ts';
import { deleteAccount, suspendAccount } from '../../../accounts/account-lifecycle.ts';
import { embeddedBackend } from '../../../scoring/embedded/embedded-backend.ts';

let world: SignInWorld;
let closed: FastifyInstance;
let open: FastifyInstance;

beforeAll(async () => {
  world = await openSignInWorld();
  closed = await world.start();
  open = await world.start({ SIGN_UP: 'open' });
});
afterAll(() => world.close());

async function sessionsOf(accountId: string): Promise<{ living: number; ended: number }> {
  const [row] = await world.database.query<{ living: number; ended: number }>(
    `SELECT count(*) FILTER (WHERE ended_at IS NULL)::int AS living, count(ended_at)::int AS ended FROM session
     WHERE account_id = $1 AND opened_by = 'sign_in'`,
    [accountId],
  );
  return row ?? { living: 0, ended: 0 };
}

async function accountOf(subject: string): Promise<{ id: string; handle: string | null; plan: string }[]> {
  return world.database.query(
    `SELECT a.id, a.handle, a.plan FROM account a JOIN sign_in_identity i ON i.account_id = a.id
     WHERE i.issuer = $1 AND i.subject = $2`,
    [world.idp.issuer, subject],
  );
}

async function knownPerson(name: string): Promise<string> {
  const { accountId } = await makeAccount(world.database);
  await world.allowSignIn(accountId, name);
  return accountId;
}

describe('signing in with a provider', () => {
  it('opens the console for a known person with a session, and removes the attempt', async () => {
    const accountId = await knownPerson('ada');

    const { browser, end } = await world.signIn(closed, 'ada');

    expect(end.url).toBe(`${SITE}/console`);
    expect(browser.cookie('__Host-sid')).toMatch(/^[\w-]{43}$/);
    expect(browser.attempts()).toEqual([]);
    expect(await sessionsOf(accountId)).toEqual({ living: 1, ended: 0 });
    expect(await world.database.query('SELECT token_hash FROM sign_in_attempt')).toEqual([]);
  });

  it('continues to the requested page of this site, and to no other site', async () => {
    await knownPerson('grace');
    const wanted = async (next: string) => {
      const path = `/sign-in/with/oidc?next=${encodeURIComponent(next)}`;
      return (await world.signIn(closed, 'grace', path)).browser.visited.at(-1);
    };

    expect(await wanted('/method?x=1')).toBe(`${SITE}/method?x=1`);
    for (const elsewhere of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
    ]) {
      expect(await wanted(elsewhere)).toBe(`${SITE}/console`);
    }
    expect(await wanted('/sign-in/with/oidc')).toBe(`${SITE}/console`);
  });

  it('gives the browser a new session, and ends its previous one', async () => {
    const accountId = await knownPerson('joan');
    const { browser } = await world.signIn(closed, 'joan');
    const former = browser.cookie('__Host-sid');

    const login = await browser.open('/sign-in/with/oidc', { from: 'same-origin' });
    // Signing in again requires new authentication, although the provider's session is still valid.
    expect(login.body).toContain('name="password"');
    await browser.signInAt(login, 'joan');

    expect(browser.cookie('__Host-sid')).not.toBe(former);
    expect(await sessionsOf(accountId)).toEqual({ living: 1, ended: 1 });
  });

  it('can start in one process and complete in another', async () => {
    const accountId = await knownPerson('radia');
    const browser = new SignInBrowser(closed, SITE);
    const login = await browser.open('/sign-in/with/oidc', { from: 'same-origin' });

    browser.app = open;
    await browser.signInAt(login, 'radia');

    expect(await sessionsOf(accountId)).toEqual({ living: 1, ended: 0 });
  });

  it('cannot be started by another site, only by our page', async () => {
    const browser = new SignInBrowser(closed, SITE);

    for (const from of ['cross-site', 'same-site']) {
      const end = await browser.open('/sign-in/with/oidc?next=/method', { from });
      expect(end.url).toBe(`${SITE}/sign-in?next=%2Fmethod`);
    }
    expect(browser.attempts()).toEqual([]);
  });

  it('is neither started nor completed by a HEAD request', async () => {
    for (const url of ['/sign-in/with/oidc', '/sign-in/callback?code=a&state=b']) {
      expect((await closed.inject({ method: 'HEAD', url })).statusCode).toBe(405);
    }
  });
});

describe('a person without an account', () => {
  it('learns what to request from the operator if sign-up is closed, and no account is created', async () => {
    const { browser, end } = await world.signIn(closed, 'unknown <b>');

    expect(end.status).toBe(403);
    expect(end.body).toContain('The operator of this directory creates accounts');
    expect(end.body).toContain(`<code>${world.idp.issuer}</code>`);
    expect(end.body).toContain('<code>unknown &lt;b></code>');
    expect(browser.cookie('__Host-sid')).toBeUndefined();
    expect(await accountOf('unknown <b>')).toEqual([]);
  });

  it('gets a free account if sign-up is open, and is asked for a handle until one is chosen', async () => {
    for (const place of [1, 2]) {
      const { end } = await world.signIn(open, 'newcomer', '/sign-in/with/oidc?next=/method');
      expect(`${place} ${end.url}`).toBe(`${place} ${SITE}/console/handle?next=%2Fmethod`);
    }

    const accounts = await accountOf('newcomer');
    expect(accounts).toMatchObject([{ handle: null, plan: 'free' }]);
    const [account] = accounts;
    expect(await sessionsOf(account?.id ?? '')).toEqual({ living: 2, ended: 0 });
    // Existing people can sign in after sign-up was closed.
    expect((await world.signIn(closed, 'newcomer')).end.url).toBe(`${SITE}/console/handle`);
  });

  it('cannot register a listing before choosing a handle', async () => {
    const { browser } = await world.signIn(open, 'hasty');
    const answer = await open.inject({
      method: 'POST',
      url: '/api/agents/register',
      headers: { cookie: `__Host-sid=${browser.cookie('__Host-sid')}`, origin: SITE },
      payload: {
        repoHostUrl: 'https://github.com/hasty/robot',
        name: 'Robot',
        description: 'A robot',
        category: 'coding',
      },
    });

    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ error: 'forbidden', message: expect.stringContaining('handle') });
  });
});

describe('a suspended or deleted account', () => {
  it('cannot sign in, even if sign-up is open, and the page says whom to contact', async () => {
    const [suspended, deleted] = [await knownPerson('mallory'), await knownPerson('trudy')];
    await suspendAccount(world.database, suspended);
    await deleteAccount(world.database, embeddedBackend, deleted);

    for (const name of ['mallory', 'trudy']) {
      const { browser, end } = await world.signIn(open, name);
      expect(end.status).toBe(403);
      expect(end.body).toContain('suspended or was deleted');
      expect(browser.cookie('__Host-sid')).toBeUndefined();
    }
    for (const id of [suspended, deleted]) expect(await sessionsOf(id)).toMatchObject({ living: 0 });
  });
});
