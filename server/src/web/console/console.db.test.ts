import { beforeAll, describe, expect, it, vi } from 'vitest';
import { replaceClock } from '../../../testing/clock.ts';
import { hiddenFields, SITE, useConsole } from '../../../testing/console/console-harness.ts';
import { CONSOLE_PAGES, type ConsolePage } from '../../../testing/console/console-paths.ts';
import { type FurnishedConsole, furnishConsole } from '../../../testing/console/furnish-console.ts';
import { expectEveryRow } from '../../../testing/every-row.ts';
import { drawingsIn, expectDrawable } from '../../../testing/pages/svg-drawings.ts';
import { endSession } from '../../access/callers/session.ts';
import { suspendAccount } from '../../accounts/account-lifecycle.ts';

const world = useConsole(() => ({ RATE_LIMIT_READ_PER_MINUTE: '0', RATE_LIMIT_UNKEYED_PER_MINUTE: '0' }));
let furnished: FurnishedConsole;
beforeAll(async () => {
  await replaceClock(world.database);
  furnished = await furnishConsole(world.database);
});

/** Expected status of each page that does not answer 200, by the page's name. */
const STATUSES: Readonly<Record<string, number>> = {
  missing: 404,
  'overage-wrong': 400,
  'sign-in-again': 403,
};

const nameOf = ({ name }: ConsolePage) => name;
const open = (url: string, cookie: string) => world.app.inject({ url, headers: { cookie } });

describe('every page of the console', () => {
  it('is complete and small, is not cached, and has no inline script or style', async () => {
    const check = async (page: ConsolePage) => {
      const { statusCode, headers, body } = await open(page.path(furnished), furnished[page.who]);

      expect(statusCode).toBe(STATUSES[page.name] ?? 200);
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
        'referrer-policy': 'same-origin',
        'content-security-policy': expect.stringContaining("script-src 'self'"),
      });
      expect(Buffer.byteLength(body)).toBeLessThan(100_000);
      expect(body.match(/<h1[ >]/g)).toHaveLength(1);
      expect(body.match(/<(?:link rel="stylesheet"|script|img)[ >]/g)).toHaveLength(2);
      expect(body).not.toMatch(/\sstyle=|<style|\son[a-z]+=/);
      for (const svg of drawingsIn(body)) expectDrawable(svg);
      const ids = [...body.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const [, list = ''] of body.matchAll(/ aria-(?:labelledby|describedby)="([^"]*)"/g)) {
        for (const id of list.split(' ')) expect(ids).toContain(id);
      }
    };

    await expectEveryRow(CONSOLE_PAGES, nameOf, check);
  });

  it.each([
    ['owner', '/console/agents/AGT-', 'Claim a-skill-with'],
    ['limited', '/docs#first-call', 'Call from your program'],
    ['newcomer', '/console/handle', 'Choose your handle'],
  ] as const)('tells (%s) on the plan page and the overview what to do next', async (who, path, text) => {
    const plan = (await open('/console/plan', furnished[who])).body;
    const overview = (await open('/console?handle=later', furnished[who])).body;

    const card = /<h2 id="next">What to do next<\/h2>(.*?)<\/section>/s.exec(plan)?.[1] ?? '';
    const [, href, said] = /href="([^"]*)">([^<]*)</.exec(card) ?? [];
    expect([href?.startsWith(path), said?.startsWith(text)]).toEqual([true, true]);
    expect(overview).toContain(`<a href="${href}">${said}</a>`);
    expect(plan).toMatch(/What a call costs.*<td class="n">20<\/td>/s);
  });

  it('says on the overview that facts are not refreshed, how old they are, and what the operator can set', async () => {
    await world.database.query(
      "UPDATE listing SET metrics_observed_at = '2026-08-20' WHERE metrics_observed_at IS NULL",
    );
    const { body } = await open('/console?handle=later', furnished.owner);

    expect(body).toMatch(/Facts about the best-known listings are of [^.]*2026\./);
    expect(body).toContain('<code>REFRESH_PER_HOUR</code>');
  });

  it('detects a used key among many newer unused ones', async () => {
    const { database } = world;
    const asks = async () =>
      (await open('/console?handle=later', furnished.limited)).body.includes('Call from your');
    const [used] = await database.query<{ id: string }>(
      "SELECT id FROM access_key WHERE name = 'production'",
    );
    const before = await asks();

    await database.query("UPDATE access_key SET last_used_at = ledger_now() WHERE name = 'production'");
    await database.query(
      `INSERT INTO access_key SELECT (jsonb_populate_record(k, jsonb_build_object('id', 'f0000000-0000-7000-8000-' ||
         lpad(n::text, 12, '0'), 'key_hash', '\\x' || repeat(lpad(n::text, 2, '0'), 32), 'last_used_at', NULL,
         'name', 'newer'))).* FROM access_key k, generate_series(1, 25) n WHERE k.id = $1`,
      [used?.id],
    );
    const after = await asks();
    await database.query("DELETE FROM access_key WHERE name = 'newer'");
    await database.query("UPDATE access_key SET last_used_at = NULL WHERE name = 'production'");

    expect([before, after]).toEqual([true, false]);
  });

  it.each(['overview', 'keys', 'accounts', 'session', 'plan'])(
    '(%s) reads the account once, for itself and its menu',
    async (name) => {
      const page = CONSOLE_PAGES.find((each) => each.name === name);
      const read = vi.spyOn(world.services.database.models.Account, 'findOne');
      await open(page?.path(furnished) ?? '', furnished.owner);
      const reads = read.mock.calls.filter(([asked]) =>
        JSON.stringify(asked?.attributes).includes('suspendedAt'),
      );
      read.mockRestore();

      expect(reads).toHaveLength(1);
    },
  );

  it('links only to existing pages and forms', async () => {
    const followed = new Set<string>();
    for (const page of CONSOLE_PAGES) {
      const cookie = furnished[page.who];
      const { body } = await open(page.path(furnished), cookie);
      for (const [, attribute, escaped = ''] of body.matchAll(
        / (href|action)="(\/(?:console|sign-)[^"#]*)/g,
      )) {
        const url = escaped.replaceAll('&amp;', '&');
        if (followed.has(`${attribute} ${url}`)) continue;
        followed.add(`${attribute} ${url}`);
        // Send the form without its token: the 403 shows that the route exists.
        const isForm = body.includes(` action="${escaped}" method="post"`) && attribute === 'action';
        const answer = isForm
          ? await world.app.inject({ method: 'POST', url, headers: { cookie, origin: SITE } })
          : await open(url, cookie);
        // The path of a GET form may answer 400, because the form's required fields are missing here.
        const wanted = isForm ? [403] : attribute === 'action' ? [200, 400] : [200];
        expect([url, answer.statusCode, wanted.includes(answer.statusCode)]).toEqual([
          url,
          answer.statusCode,
          true,
        ]);
      }
    }
    expect(followed.size).toBeGreaterThan(60);
  });
});

describe('anyone who is not signed in', () => {
  it('is redirected from every page to the sign-in, which returns to that page', async () => {
    const check = async (page: ConsolePage) => {
      const path = page.path(furnished);

      for (const cookie of ['', `sid=${'x'.repeat(43)}`, 'sid=nonsense']) {
        const { statusCode, headers, body } = await open(path, cookie);
        expect([statusCode, headers.location]).toEqual([303, `/sign-in?next=${encodeURIComponent(path)}`]);
        expect(body).toBe('');
      }
    };

    await expectEveryRow(CONSOLE_PAGES, nameOf, check);
  });

  it('is redirected to the sign-in by a form too, without any effect, for example after the session ended', async () => {
    const person = await world.signIn();
    const form = hiddenFields((await person.get('/console/register')).body);
    await endSession(world.database, person.sessionId);

    const sent = [
      ['/console/register', '/console/register'],
      ['/console/keys/new', '/console/keys/new'],
      ['/console/keys/3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55/pause', '/console/keys'],
      [
        '/console/accounts/3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55/verify',
        '/console/accounts/3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55',
      ],
      ['/console/plan/overage', '/console/plan'],
      ['/console/session/everywhere', '/console/session/everywhere'],
    ];
    for (const [url = '', page = ''] of sent) {
      // The session is checked before the origin, as in the API.
      const foreign = { method: 'POST', url, headers: { origin: 'https://evil.example' } } as const;
      for (const answer of [await person.post(url, form), await world.app.inject(foreign)]) {
        expect([url, answer.statusCode, answer.headers.location]).toEqual([
          url,
          303,
          `/sign-in?next=${encodeURIComponent(page)}`,
        ]);
      }
    }
  });

  it('cannot use an access key, and a suspended account learns why', async () => {
    const person = await world.signIn();
    const byKey = await world.app.inject({
      url: '/console',
      headers: { authorization: 'Bearer svc_live_x' },
    });
    expect(byKey.statusCode).toBe(303);

    await suspendAccount(world.database, person.accountId);
    const page = await person.get('/console');

    expect(page.statusCode).toBe(401);
    expect(page.body).toContain('suspended');
  });
});

describe('a form of the console', () => {
  it("has no effect without its session's token, or from another site", async () => {
    const [person, other] = [await world.signIn(), await world.signIn()];
    const own = hiddenFields((await person.get('/console/handle')).body);
    const foreign = hiddenFields((await other.get('/console/handle')).body);
    const attempts: [Record<string, string>, Record<string, string>][] = [
      [{}, { origin: SITE }],
      [{ form_token: 'x' }, { origin: SITE }],
      [foreign, { origin: SITE }],
      [own, { origin: 'https://evil.example' }],
      [own, { 'sec-fetch-site': 'cross-site' }],
      [own, { 'sec-fetch-site': 'same-site' }],
      [own, {}],
    ];

    for (const [form, headers] of attempts) {
      const answer = await person.post(
        '/console/handle',
        { ...form, handle: 'taken-by-another-site' },
        headers,
      );
      expect(answer.statusCode).toBe(403);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    }
    expect((await person.get('/console/handle')).body).not.toContain('taken-by-another-site');
    const sent = await person.post('/console/handle', { ...own, handle: 'chosen-by-its-owner' });
    expect(sent.statusCode).toBe(303);
  });

  it('accepts only form bodies: JSON, files and huge bodies are rejected', async () => {
    const person = await world.signIn();
    const headers = { cookie: person.cookie, origin: SITE };
    const send = (type: string, payload: string) =>
      world.app.inject({
        method: 'POST',
        url: '/console/handle',
        headers: { ...headers, 'content-type': type },
        payload,
      });

    expect((await send('application/json', '{}')).statusCode).toBe(415);
    expect((await send('multipart/form-data; boundary=x', '--x--')).statusCode).toBe(415);
    expect((await send('application/x-www-form-urlencoded', `handle=${'x'.repeat(20_000)}`)).statusCode).toBe(
      413,
    );
  });
});
