import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { makeAccount, makeSession } from '../../../../testing/factories.ts';
import { createSignInLink } from '../../../accounts/sign-in/sign-in-link.ts';
import { buildApp } from '../../../app.ts';
import { loadConfig } from '../../../platform/config/load-config.ts';
import { createServices, type Services } from '../../../services.ts';

const SITE = 'https://trust.example';

let test: TestDatabase;
let secure: { services: Services; app: FastifyInstance };
let plain: { services: Services; app: FastifyInstance };

async function createApp(publicUrl: string) {
  const env = { DATABASE_URL: test.url, LOG_LEVEL: 'silent', PUBLIC_URL: publicUrl };
  const services = createServices(loadConfig(env), { databaseUrl: test.url });
  return { services, app: await buildApp(services) };
}

beforeAll(async () => {
  test = await createTestDatabase();
  secure = await createApp(SITE);
  plain = await createApp('http://127.0.0.1:4000');
});
afterAll(async () => {
  for (const { app, services } of [secure, plain]) {
    await app.close();
    await services.close();
  }
  await test.close();
});

function send(
  app: FastifyInstance,
  url: string,
  form: Record<string, string>,
  headers: Record<string, string>,
) {
  return app.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
}

async function makeLink(): Promise<{ accountId: string; token: string }> {
  const { accountId } = await makeAccount(test.database);
  return { accountId, token: await createSignInLink(test.database, accountId) };
}

async function openSessions(accountId: string): Promise<number> {
  const rows = await test.database.query(
    "SELECT id FROM session WHERE account_id = $1 AND opened_by = 'sign_in' AND ended_at IS NULL",
    [accountId],
  );
  return rows.length;
}

describe('the sign-in page', () => {
  it('shows a button, and redeems the link only when the button is pressed', async () => {
    const { accountId, token } = await makeLink();

    for (const method of ['GET', 'HEAD', 'GET'] as const) {
      const page = await secure.app.inject({ method, url: `/sign-in?token=${token}` });
      expect(page.statusCode).toBe(200);
      expect(page.headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'same-origin',
        'content-security-policy': expect.stringContaining("form-action 'self'"),
      });
      expect(page.headers['set-cookie']).toBeUndefined();
      if (method === 'GET') expect(page.body).toMatch(/<form [^>]*action="\/sign-in" method="post">/);
    }
    expect(await openSessions(accountId)).toBe(0);

    expect((await send(secure.app, '/sign-in', { token }, { origin: SITE })).statusCode).toBe(303);
    expect(await openSessions(accountId)).toBe(1);
  });

  it('names the account of a link, so that nobody signs in to another’s account by mistake', async () => {
    const { accountId, handle } = await makeAccount(test.database);
    const token = await createSignInLink(test.database, accountId);
    const shown = async () => (await secure.app.inject(`/sign-in?token=${token}`)).body;
    expect(await shown()).toContain(`as <strong><bdi>${handle}</bdi></strong>`);

    await send(secure.app, '/sign-in', { token }, { origin: SITE });

    expect(await shown()).not.toContain(handle);
  });

  it('shows query parameters as text', async () => {
    const page = await secure.app.inject(
      `/sign-in?token=${encodeURIComponent('"><script>alert(1)</script>')}`,
    );

    expect(page.body).not.toContain('<script>');
    expect((await secure.app.inject('/sign-in')).body).toContain('accounts create --handle');
    expect((await secure.app.inject('/sign-in?next=%22%3E%3Cscript%3E')).body).not.toContain('<script>');
    expect((await secure.app.inject('/sign-in?token=a&token=b')).statusCode).toBe(200);
  });
});

describe('signing in', () => {
  it('sets a cookie for this host only, unreadable by scripts', async () => {
    const overHttps = await send(secure.app, '/sign-in', await makeLink(), { origin: SITE });
    const local = await send(plain.app, '/sign-in', await makeLink(), { 'sec-fetch-site': 'same-origin' });

    expect(overHttps.headers.location).toBe('/console');
    expect(overHttps.headers['set-cookie']).toMatch(
      /^__Host-sid=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(local.headers['set-cookie']).toMatch(/^sid=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('continues to the requested page of this site, and to no other site', async () => {
    const page = await secure.app.inject('/sign-in?token=a&next=%2Fmethod');
    expect(page.body).toContain('<input type="hidden" name="next" value="/method"/>');

    for (const [next, end] of [
      ['/method', '/method'],
      ['//evil.example', '/console'],
      ['/\\evil.example', '/console'],
      ['https://evil.example', '/console'],
      ['/sign-out', '/console'],
    ] as const) {
      const { token } = await makeLink();
      const answer = await send(secure.app, '/sign-in', { token, next }, { origin: SITE });
      expect(answer.headers.location).toBe(end);
    }
  });

  it('ends the browser’s previous session, and no other', async () => {
    const { accountId, token } = await makeLink();
    const [own, elsewhere] = [
      await makeSession(test.database, accountId),
      await makeSession(test.database, accountId),
    ];

    await send(secure.app, '/sign-in', { token }, { origin: SITE, cookie: `__Host-sid=${own.token}` });

    const rows = await test.database.query<{ id: string }>(
      'SELECT id FROM session WHERE account_id = $1 AND ended_at IS NOT NULL AND id <> ALL ($2)',
      [accountId, [elsewhere.sessionId]],
    );
    expect(rows.map(({ id }) => id)).toContain(own.sessionId);
    expect(await openSessions(accountId)).toBe(2);
  });

  it.each([{ origin: 'https://evil.example' }, {}, { 'sec-fetch-site': 'cross-site' }])(
    'is rejected from a page of another site (%j), and the link stays valid',
    async (headers) => {
      const { token } = await makeLink();

      expect(
        (await send(secure.app, '/sign-in', { token }, headers as Record<string, string>)).statusCode,
      ).toBe(403);
      expect((await send(secure.app, '/sign-in', { token }, { origin: SITE })).statusCode).toBe(303);
    },
  );

  it('with a used, unknown or missing link says so on a page, without a cookie', async () => {
    const { token } = await makeLink();
    await send(secure.app, '/sign-in', { token }, { origin: SITE });

    for (const form of [{ token }, { token: 'x'.repeat(43) }, { token: "' OR 1=1" }, {}]) {
      const answer = await send(secure.app, '/sign-in', form as Record<string, string>, { origin: SITE });
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(answer.body).toContain('sign-in link');
    }
  });

  it('accepts only forms', async () => {
    const { token } = await makeLink();
    const headers = { origin: SITE, 'content-type': 'application/json' };

    const answer = await secure.app.inject({ method: 'POST', url: '/sign-in', payload: { token }, headers });

    expect(answer.statusCode).toBe(415);
  });
});

describe('signing out', () => {
  const tokenOf = (page: string) => /name="form_token" value="([\w-]+)"/.exec(page)?.[1] ?? '';

  it('ends the session by its own form, and clears the cookie', async () => {
    const { accountId } = await makeAccount(test.database);
    const { cookie, sessionId } = await makeSession(test.database, accountId);
    const page = await plain.app.inject({ url: '/sign-out', headers: { cookie } });
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };

    const form = { form_token: tokenOf(page.body) };
    const answer = await send(plain.app, '/sign-out', form, headers);

    expect(answer.statusCode).toBe(303);
    expect(answer.headers['set-cookie']).toBe('sid=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0');
    const [session] = await test.database.query(
      'SELECT ended_at IS NOT NULL AS ended FROM session WHERE id = $1',
      [sessionId],
    );
    expect(session).toEqual({ ended: true });
    // Sending the form a second time succeeds too.
    expect((await send(plain.app, '/sign-out', form, headers)).statusCode).toBe(303);
  });

  it('is rejected without the form’s token or from another site, and keeps the session', async () => {
    const { accountId } = await makeAccount(test.database);
    const { cookie } = await makeSession(test.database, accountId);
    const other = await makeSession(test.database, accountId);
    const foreign = await plain.app.inject({ url: '/sign-out', headers: { cookie: other.cookie } });
    const own = await plain.app.inject({ url: '/sign-out', headers: { cookie } });

    for (const [form, site] of [
      [{}, 'same-origin'],
      [{ form_token: tokenOf(foreign.body) }, 'same-origin'],
      [{ form_token: tokenOf(own.body) }, 'cross-site'],
    ] as [Record<string, string>, string][]) {
      const answer = await send(plain.app, '/sign-out', form, { cookie, 'sec-fetch-site': site });
      expect(answer.statusCode).toBe(403);
    }
    expect(await openSessions(accountId)).toBe(2);
  });

  it('without a session does nothing, and says so', async () => {
    expect((await plain.app.inject('/sign-out')).body).toContain('You are not signed in');
    expect((await send(plain.app, '/sign-out', {}, { 'sec-fetch-site': 'same-origin' })).statusCode).toBe(
      303,
    );
  });
});
