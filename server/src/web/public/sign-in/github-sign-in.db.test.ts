import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { shiftClock } from '../../../../testing/clock.ts';
import { SignInBrowser } from '../../../../testing/sign-in/sign-in-browser.ts';
import { openSignInWorld, SITE, type SignInWorld } from '../../../../testing/sign-in/sign-in-world.ts';
import { type StandInGithub, startGithub } from '../../../../testing/stand-ins/stand-in-github.ts';
import { type StandInHost, startStandInHost } from '../../../../testing/stand-ins/stand-in-host.ts';
import { makeListing } from '../../../../testing/subjects/registry.factory.ts';
import { chooseHandle } from '../../../ownership/handles/choose-handle.ts';
import { embeddedBackend } from '../../../scoring/embedded/embedded-backend.ts';

let world: SignInWorld;
let github: StandInGithub;
let standIn: StandInHost;
let app: FastifyInstance;
let proving: FastifyInstance;

beforeAll(async () => {
  world = await openSignInWorld();
  github = await startGithub(`${SITE}/sign-in/callback/github`);
  standIn = await startStandInHost();
  standIn.world.showsAnyRepository = true;
  standIn.world.account({ handle: 'Acme-Labs', id: '4711' });
  const environment = {
    HOST_API_URLS: standIn.environment,
    SIGN_UP: 'open',
    GITHUB_CLIENT_ID: github.clientId,
    GITHUB_CLIENT_SECRET: github.clientSecret,
    GITHUB_OAUTH_URL: github.url,
  };
  app = await world.start(environment);
  const proves = `${github.url}=repo_host:github.com,${world.idp.issuer}=repo_host:git.example`;
  proving = await world.start({ ...environment, SIGN_IN_PROVES: proves });
});
afterEach(() => {
  github.userAnswer = undefined;
});
afterAll(async () => {
  await github.close();
  await standIn.close();
  await world.close();
});

async function signIn(at: FastifyInstance, id: number, login: string, created = '2014-05-01T10:00:00Z') {
  github.user = { id, login, created_at: created };
  const browser = new SignInBrowser(at, SITE);
  return { browser, end: await browser.open('/sign-in/with/github', { from: 'same-origin' }) };
}

async function accountOf(id: number): Promise<string | null> {
  const [identity] = await world.database.query<{ accountId: string }>(
    'SELECT account_id AS "accountId" FROM sign_in_identity WHERE issuer = $1 AND subject = $2',
    [github.url, String(id)],
  );
  return identity?.accountId ?? null;
}

function linksOf(accountId: string | null) {
  return world.database.query(
    `SELECT kind, host, handle, proved_by AS "provedBy", host_account_id AS "hostAccountId",
       utc_text(host_account_created_at) AS "createdAt", removed_at IS NULL AS living FROM linked_account
     WHERE account_id = $1 ORDER BY created_at`,
    [accountId],
  );
}

describe('signing in with GitHub', () => {
  it('identifies a person by their permanent number, not by their login', async () => {
    expect((await signIn(app, 583231, 'octocat')).end.url).toBe(`${SITE}/console/handle`);
    const accountId = await accountOf(583231);

    await signIn(app, 583231, 'octodog');
    await signIn(app, 999, 'octocat');

    expect(accountId).not.toBeNull();
    expect(await accountOf(583231)).toBe(accountId);
    expect(await accountOf(999)).not.toBe(accountId);
    expect(await linksOf(accountId)).toEqual([]);
  });

  it('stores the token nowhere', async () => {
    await signIn(app, 17, 'keeper');
    const token = github.tokens.given.at(-1) ?? '';
    expect(github.tokens.used.at(-1)).toBe(token);

    const tables = await world.database.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    for (const { name } of tables) {
      const rows = await world.database.query(
        `SELECT 1 AS one FROM "${name}" t WHERE t::text LIKE '%' || $1 || '%'`,
        [token],
      );
      expect(rows).toEqual([]);
    }
    expect(world.log.join('')).not.toContain(token);
  });

  it('is rejected with a used code, although GitHub answers with 200', async () => {
    const { browser } = await signIn(app, 18, 'again');
    browser.stopsBefore = (url) => url.pathname === '/sign-in/callback/github';
    const last = await browser.open('/sign-in/with/github', { from: 'same-origin' });
    browser.stopsBefore = undefined;
    const url = new URL(last.headers.get('location') ?? '');
    url.searchParams.set('code', 'ffffffffffffffffffff');

    const end = await browser.open(url.href, { from: 'cross-site' });

    expect(end.status).toBe(400);
    expect(world.log.at(-2)).toContain('"reason":"invalid_grant"');
  });

  it.each([
    { status: 500, body: '{}' },
    { status: 200, body: 'not json' },
    { status: 200, body: '{"login":"octocat"}' },
    { status: 200, body: '{"id":"583231","login":"octocat"}' },
    { status: 200, body: '{"id":0.5,"login":"octocat"}' },
    { status: 302, body: '{}' },
  ])('fails with a clear message if GitHub describes the person as %j', async (answer) => {
    github.userAnswer = answer;

    const { browser, end } = await signIn(app, 583231, 'octocat');

    expect(end.status).toBe(503);
    expect(end.body).toContain('Try again in a moment');
    expect(browser.cookie('__Host-sid')).toBeUndefined();
  });
});

describe('a sign-in that proves an account', () => {
  it.each(['2014-13-45T99:99:99Z', '0000-01-01T00:00:00Z'])(
    'stores no creation time if GitHub sends %s',
    async (created) => {
      await signIn(proving, Number.parseInt(created, 10) + 50, `born-in-${created.slice(0, 4)}`, created);

      const accountId = await accountOf(Number.parseInt(created, 10) + 50);
      expect(await linksOf(accountId)).toMatchObject([{ living: true, createdAt: null }]);
    },
  );

  it('verifies the GitHub account, its creator and listings, and offers its login as handle', async () => {
    const { id } = await makeListing(world.database, { repository: 'acme-labs/robot' });
    const { end } = await signIn(proving, 4711, 'Acme-Labs');
    expect(end.body).toMatch(/<input id="handle"[^>]* value="acme-labs"/);
    const accountId = await accountOf(4711);

    expect(await linksOf(accountId)).toEqual([
      {
        kind: 'repo_host',
        host: 'github.com',
        handle: 'Acme-Labs',
        provedBy: 'identity_provider',
        hostAccountId: '4711',
        createdAt: '2014-05-01T10:00:00.000000Z',
        living: true,
      },
    ]);
    const choice = {
      accountId: accountId ?? '',
      handle: 'acme-labs',
      lockRecentSignIn: async () => undefined,
    };
    await chooseHandle(world.database, embeddedBackend, choice);
    const [listing] = await world.database.query(
      `SELECT l.verified, c.verified AS creator, c.handle, c.account_id AS "accountId" FROM listing l
       JOIN creator c ON c.subject_id = l.creator_id WHERE l.subject_id = $1`,
      [id],
    );
    expect(listing).toEqual({ verified: true, creator: true, handle: 'acme-labs', accountId });
  });

  it('is one proof, however often a person signs in, and follows a new login', async () => {
    await signIn(proving, 4712, 'old-name');
    await signIn(proving, 4712, 'old-name');
    await shiftClock(world.database, '40 days');
    await signIn(proving, 4712, 'new-name');

    const links = await linksOf(await accountOf(4712));
    expect(links).toMatchObject([{ handle: 'new-name', hostAccountId: '4712', living: true }]);
    const [proof] = await world.database.query(
      "SELECT checked_at > ledger_now() - interval '1 minute' AS fresh FROM proved_account WHERE handle = 'new-name'",
    );
    expect(proof).toEqual({ fresh: true });
    await shiftClock(world.database, '0');
  });

  it('moves the proof from the account that had it', async () => {
    await signIn(proving, 4713, 'handed-on');
    const former = await accountOf(4713);
    await world.database.query('DELETE FROM sign_in_identity WHERE subject = $1', ['4713']);

    await signIn(proving, 4713, 'handed-on');

    expect(await accountOf(4713)).not.toBe(former);
    expect(await linksOf(former)).toMatchObject([{ living: false }]);
    expect(await linksOf(await accountOf(4713))).toMatchObject([{ living: true }]);
  });

  it('proves an account on the host configured for the provider, under the name that it reports', async () => {
    const { end } = await world.signIn(proving, 'tinker');
    expect(end.url).toBe(`${SITE}/console/handle`);

    const [identity] = await world.database.query<{ id: string }>(
      "SELECT account_id AS id FROM sign_in_identity WHERE subject = 'tinker'",
    );
    const links = await linksOf(identity?.id ?? null);
    expect(links).toMatchObject([{ host: 'git.example', handle: 'tinker', hostAccountId: 'tinker' }]);
    expect(world.idp.requestCounts.get('/me')).toBe(1);
  });
});
