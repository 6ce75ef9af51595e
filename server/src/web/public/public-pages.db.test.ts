import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { expectWellFormed } from '../../../testing/pages/expect-well-formed.ts';
import { makePlatformAccount } from '../../../testing/subjects/account.factory.ts';
import {
  type MadeListing,
  makeArtifact,
  makeCreator,
  makeListing,
  makeScore,
  passOn,
} from '../../../testing/subjects/registry.factory.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { presentAgent } from '../../directory/agents/agent.presenter.ts';
import { getAgent } from '../../directory/agents/get-agent.ts';
import type { Database } from '../../platform/database/connect.ts';
import { useConditionalGet } from '../../platform/http/conditional-get.ts';
import { responseCache } from '../../platform/http/response-cache/response-cache-plugin.ts';
import { registerPages } from './register-pages.ts';

const SITE = 'https://trust.example';
const VERSION = '2026-08-01T10:20:30.123456Z';
let test: TestDatabase;
let database: Database;
let app: FastifyInstance;
let robot: MadeListing;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
  await fill();
  app = Fastify();
  app.decorateRequest('errorCode', null);
  useConditionalGet(app, 0);
  responseCache(app, { cache: null, reads: database });
  await registerPages(app, { reads: database, publicUrls: createPublicUrls(SITE) });
});
afterAll(async () => {
  await app.close();
  await test.close();
});

async function fill(): Promise<void> {
  const creator = await makeCreator(database, { handle: 'acme', displayName: 'Acme Inc' });
  await makeScore(database, creator, { trust: 48.5, confidence: 58.6 });
  const parent = await makeListing(database, { repository: 'base/core', type: 'agent', category: 'data' });
  await makeScore(database, parent, { trust: 84.1, confidence: 80, tier: 'high' });
  robot = await makeListing(database, {
    repository: 'acme/robot',
    type: 'agent',
    creator,
    parentId: parent.id,
  });
  await makeScore(database, robot, { trust: 40, confidence: 30, version: '2026-07-01T00:00:00.000000Z' });
  await makeScore(database, robot, { trust: 61.7, confidence: 42.3, tier: 'medium', version: VERSION });
  for (let index = 0; index < 60; index += 1) {
    await makeListing(database, {
      repository: `fork-${index}/robot`,
      parentId: robot.id,
      verified: index < 2,
    });
  }
  for (let index = 0; index < 24; index += 1)
    await makeListing(database, { repository: `acme/tool-${index}`, creator });
  for (let index = 0; index < 120; index += 1) await makeArtifact(database, robot);
  await makePlatformAccount(database, { handle: 'AcmeLabs', ownerId: creator.id });
}

async function get(url: string, headers: Record<string, string> = {}) {
  const answer = await app.inject({ url, headers });
  return { status: answer.statusCode, headers: answer.headers, body: answer.body };
}

const PAGES = [
  '/',
  '/agents',
  '/agents?q=robot&type=skill',
  '/method',
  '/a/acme/robot',
  '/c/acme',
  '/u/x/AcmeLabs',
  '/a/acme/nothing',
];

describe('every public page', () => {
  it.each(PAGES)(
    'at %s is under 100 kB, loads two files of this site, and has no inline styles or event handlers',
    async (url) => {
      const { body } = await get(url);

      expect(Buffer.byteLength(body)).toBeLessThan(100_000);
      const loaded = [...body.matchAll(/<(?:link rel="stylesheet" href|script src|img[^>]* src)="([^"]*)"/g)];
      expect(loaded).toHaveLength(2);
      for (const [, path = ''] of loaded) {
        const file = await get(path);
        expect(file.status).toBe(200);
        expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable');
        expect(Buffer.byteLength(file.body)).toBeLessThan(12_000);
      }
      expect(body).not.toMatch(/\sstyle=|<style|\son[a-z]+=/);
    },
  );

  it.each(PAGES)('at %s has one h1 and unique ids, and its labels refer to existing ids', async (url) => {
    const { body } = await get(url);

    expect(body.match(/<h1[ >]/g)).toHaveLength(1);
    const ids = [...body.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, id] of body.matchAll(/ aria-labelledby="([^"]*)"/g)) expect(ids).toContain(id);
  });
});

describe('the page of an agent', () => {
  it('draws ancestors and descendants as links', async () => {
    const { body } = await get('/a/acme/robot');
    const drawing = body.slice(body.indexOf('class="family"'), body.indexOf('As a list'));

    expect(drawing).toContain('<a href="/a/base/core"><title>It is based on core, claimed, passes on 28.6');
    expect(drawing.match(/<a href="\/s\/fork-/g)).toHaveLength(8);
    expect(drawing).toContain('class="edge claimed"');
    expect(drawing).toContain('>based on 28.6</text>');
  });

  it('shows the history of trust, with a label on the last value', async () => {
    const { body } = await get('/a/acme/robot');

    expect(body).toContain('aria-label="Trust from 40 on 1 Jul 2026 to 62 on 1 Aug 2026"');
    expect(body).toContain('>62</text>');
  });

  it('names former creators and until when, but none that was merged into the present creator', async () => {
    const [former, merged, present] = [
      await makeCreator(database, { handle: 'before', displayName: 'The one before' }),
      await makeCreator(database, { handle: 'same-hands' }),
      await makeCreator(database, { handle: 'now' }),
    ];
    const passed = await makeListing(database, { repository: 'before/passed-on', creator: former });
    for (const { id } of [merged, present]) {
      await passOn(database, passed.id, id);
    }
    await database.query('UPDATE creator SET merged_into = $2 WHERE subject_id = $1', [
      merged.id,
      present.id,
    ]);

    const { body } = await get('/s/before/passed-on');

    expect(body).toMatch(
      /<dt>Before<\/dt><dd><a href="\/c\/before"><bdi>The one before<\/bdi><\/a><\/dd><dd class="whole note">until <time/,
    );
    expect(body.match(/<dt>Before<\/dt>/g)).toHaveLength(1);
  });

  it('has a description and a picture for shared links', async () => {
    const { body } = await get('/a/acme/robot');
    const image = /property="og:image" content="([^"]*)"/.exec(body)?.[1] ?? '';

    expect(body).toContain(
      'content="Well evidenced. No reasons were given with this score. Trust 62 · Confidence 42%, as of 1 Aug 2026."',
    );
    expect(image.startsWith(SITE)).toBe(true);
    const { statusCode, headers, rawPayload } = await app.inject({ url: image.slice(SITE.length) });
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('image/png');
    expect(headers.etag).toMatch(/^W\//);
    expect(rawPayload.subarray(1, 4).toString()).toBe('PNG');
    expect([rawPayload.readUInt32BE(16), rawPayload.readUInt32BE(20)]).toEqual([1200, 630]);
    expect(rawPayload.byteLength).toBeLessThan(100_000);
  });
});

describe('badges', () => {
  it('show the same score as the page and the API, by either id', async () => {
    const record = presentAgent(await getAgent(database, robot.agentId), new Map());

    for (const id of [robot.agentId, robot.id]) {
      const { status, headers, body } = await get(`/badge/agent/${id}.svg`);
      expect(status).toBe(200);
      expect(headers['content-type']).toBe('image/svg+xml; charset=utf-8');
      const figures = `trust ${record.trustScore?.toFixed(0)}, confidence ${record.confidence?.toFixed(0)}%`;
      expect(body).toContain(`${figures}, well evidenced, 1 Aug 2026</title>`);
      expect(record.verdict?.state).toBe('well_evidenced');
    }
    const twin = JSON.parse((await get(`/badge/agent/${robot.agentId}.json`)).body);
    expect(twin).toMatchObject({
      schemaVersion: 1,
      message: '62 · well evidenced',
      scoreVersion: VERSION,
    });
    expect((await get('/a/acme/robot')).body).toContain(`<code>${VERSION}</code>`);
  });

  it('return 304 to a client that has the current badge', async () => {
    const first = await get(`/badge/agent/${robot.agentId}.svg`);

    const again = await get(`/badge/agent/${robot.agentId}.svg`, {
      'if-none-match': `${first.headers.etag}`,
    });

    expect(again.status).toBe(304);
    expect(again.body).toBe('');
  });

  it('exist for creators, and never show a subject under another type', async () => {
    expect((await get(`/badge/creator/${robot.creator.id}.svg`)).body).toContain('trust 49, confidence 59%');
    expect((await get(`/badge/skill/${robot.id}.svg`)).status).toBe(404);
  });

  it('say that an unknown subject is not listed', async () => {
    const { status, headers, body } = await get('/badge/agent/AGT-ZZZZZZZZ.svg');

    expect(status).toBe(404);
    expect(headers['content-type']).toBe('image/svg+xml; charset=utf-8');
    expect(body).toContain('not listed');
    for (const url of [
      '/badge/robot/x.svg',
      '/badge/agent/x.png',
      '/badge/agent/.svg',
      '/badge/agent/%00.svg',
    ])
      expect((await get(url)).status).toBe(404);
  });
});

describe('the page of a creator', () => {
  it('lists agents and skills in pages, each with its own URL', async () => {
    const first = (await get('/c/acme')).body;
    const second = (await get('/c/acme?page=2')).body;

    expect(first.match(/href="\/s\/acme\/tool-|href="\/a\/acme\/robot"/g)).toHaveLength(20);
    expect(first).toContain('rel="next" href="/c/acme?page=2"');
    expect(second.match(/href="\/s\/acme\/tool-/g)).toHaveLength(5);
    expect(second).toContain('rel="prev" href="/c/acme"');
  });
});

describe('an unknown URL', () => {
  it('offers a search for the words of its path', async () => {
    expect((await get('/a/acme/map-maker')).body).toContain('name="q" value="acme map maker"');
  });
});

describe('files for crawlers', () => {
  it('list every subject once, in sitemaps that the index names', async () => {
    const index = await get('/sitemap.xml');
    expectWellFormed(index.body);
    expect(index.body).toContain(`<loc>${SITE}/sitemap.xml?page=1</loc>`);
    const { body, headers } = await get('/sitemap.xml?page=1');

    expect(headers['content-type']).toBe('application/xml; charset=utf-8');
    expectWellFormed(body);
    const files = [...index.body.matchAll(/<loc>[^<]*(\/sitemap\.xml\?page=\d+)<\/loc>/g)];
    const all = await Promise.all(files.map(([, file = '']) => get(file)));
    const addresses = all.flatMap((each) =>
      [...each.body.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc]) => loc),
    );
    expect(new Set(addresses).size).toBe(addresses.length);
    for (const path of ['/', '/agents', '/a/acme/robot', '/c/acme', '/u/x/AcmeLabs'])
      expect(addresses).toContain(SITE + path);
    expect((await get('/sitemap.xml?page=0')).status).toBe(404);
  });

  it('refer to the sitemap (robots.txt) and to the API (llms.txt)', async () => {
    expect((await get('/robots.txt')).body).toContain(`Sitemap: ${SITE}/sitemap.xml`);
    const { body } = await get('/llms.txt');
    for (const name of ['openapi.yaml', 'openapi.json']) expect(body).toContain(`${SITE}/${name}`);
  });
});
