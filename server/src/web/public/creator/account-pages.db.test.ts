import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { makePlatformAccount } from '../../../../testing/subjects/account.factory.ts';
import { makeCreator, makeListing, makeScore } from '../../../../testing/subjects/registry.factory.ts';
import { createPublicUrls } from '../../../catalog/subjects/public-path.ts';
import { lookUpSubject } from '../../../catalog/subjects/resolve-subject.ts';
import { explainSubject } from '../../../directory/explanations/explain-subject.ts';
import type { Database } from '../../../platform/database/connect.ts';
import { responseCache } from '../../../platform/http/response-cache/response-cache-plugin.ts';
import { scoreSubjects } from '../../../scoring/batches/score-subjects.ts';
import { embeddedBackend } from '../../../scoring/embedded/embedded-backend.ts';
import { improvementText } from '../../../scoring/improvements/improvement-texts.ts';
import { registerPages } from '../register-pages.ts';

const publicUrls = createPublicUrls('https://trust.example');
let test: TestDatabase;
let database: Database;
let app: FastifyInstance;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
  app = Fastify();
  app.decorateRequest('errorCode', null);
  responseCache(app, { cache: null, reads: database });
  await registerPages(app, { reads: database, publicUrls });
});
afterEach(() => test.empty());
afterAll(async () => {
  await app.close();
  await test.close();
});

async function get(url: string) {
  const { statusCode, headers, body } = await app.inject(url);
  return { status: statusCode, headers, body };
}

describe('pages of accounts', () => {
  it("show the API's record and score version, under every spelling of the path", async () => {
    const owner = await makeCreator(database, { handle: 'acme' });
    const account = await makePlatformAccount(database, {
      handle: 'AcmeLabs',
      name: 'Acme Labs',
      url: 'https://x.com/AcmeLabs',
      ownerId: owner.id,
      audience: 20_000,
    });
    await makeScore(database, account, {
      trust: 61.7,
      confidence: 42.3,
      version: '2026-08-01T10:20:30.123456Z',
    });
    const record = await lookUpSubject(database, account.id, null, publicUrls);

    for (const url of ['/u/x/AcmeLabs', '/u/x/acmelabs', '/u/twitter.com/@AcmeLabs', '/u/X/ACMELABS?a=b']) {
      const { status, headers, body } = await get(url);

      expect([url, status]).toEqual([url, 200]);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      const figures = `Trust ${record.trust?.toFixed(0)} · Confidence ${record.confidence?.toFixed(0)}%`;
      for (const text of ['Acme Labs', figures, '<dd>62</dd>', '<dd>42%</dd>', '20,000', 'href="/c/acme"'])
        expect(body).toContain(text);
      expect(body).toContain(`<code>${record.scoreVersion}</code>`);
      expect(body).toContain('<link rel="canonical" href="https://trust.example/u/x/AcmeLabs"/>');
    }
    expect(record.publicPath).toBe('/u/x/AcmeLabs');
  });

  it('list the same improvements as the explanation, and link a creator to the proof', async () => {
    const creator = await makeCreator(database, { handle: 'acme' });
    const listing = await makeListing(database, { creator, stars: 900, license: 'MIT' });
    const account = await makePlatformAccount(database, {
      handle: 'AcmeLabs',
      audience: 20_000,
      crossLink: 'none',
    });
    await scoreSubjects(database, embeddedBackend, [listing.id, creator.id, account.id]);
    const waysOf = async (id: string) => {
      const explained = await explainSubject(database, id, null, publicUrls);
      return explained.score?.improvements.map((way) => improvementText(way, explained.subject.type)) ?? [];
    };
    const shown = (body: string) => body.replaceAll(/<[^>]*>/g, '');

    for (const [path, id] of [
      ['/c/acme', creator.id],
      ['/u/x/AcmeLabs', account.id],
    ] as const) {
      const { body } = await get(path);
      const ways = await waysOf(id);
      expect(ways.length, path).toBeGreaterThan(0);
      for (const way of ways) expect(shown(body), path).toContain(way);
    }
    expect((await get('/c/acme')).body).toMatch(
      /id="raise".*<a href="\/console\/accounts\?host=github\.com&amp;handle=acme">Claim it<\/a>/s,
    );
  });

  it('exist for messaging accounts under /m only', async () => {
    await makePlatformAccount(database, { type: 'messaging_account', kind: 'channel', handle: 'acme_news' });
    await makePlatformAccount(database, { handle: 'acme' });

    expect((await get('/m/telegram/acme_news')).body).toContain('messaging channel on Telegram');
    expect((await get('/m/t.me/acme_news')).status).toBe(200);
    expect((await get('/u/telegram/acme_news')).status).toBe(404);
    expect((await get('/m/x/acme')).status).toBe(404);
  });

  it('have a handle with a slash as one segment of the path', async () => {
    const { id } = await makePlatformAccount(database, { platform: 'linkedin', handle: 'company/acme' });

    expect((await get('/u/linkedin/company%2Facme')).status).toBe(200);
    const { publicPath } = await lookUpSubject(database, id, null, publicUrls);
    expect(publicPath).toBe('/u/linkedin/company%2Facme');
  });

  it.each(['/u/x/nobody', '/m/telegram/nobody', '/u/x/%00', '/u/%2F/x', '/u/x/..%2F', '/u/nowhere/x'])(
    'are a 404 page at %s, and the request stores nothing',
    async (url) => {
      const { status, headers, body } = await get(url);

      expect(status).toBe(404);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(body).toContain('Not found');
      const [row] = await database.query(
        'SELECT (SELECT count(*) FROM subject) + (SELECT count(*) FROM platform_account) AS n',
      );
      expect(row).toEqual({ n: 0 });
    },
  );
});
