import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import {
  makeArtifact,
  makeCreator,
  makeListing,
  makeScore,
} from '../../../testing/subjects/registry.factory.ts';
import { createPublicUrls } from '../../catalog/subjects/public-path.ts';
import { presentAgent } from '../../directory/agents/agent.presenter.ts';
import { getAgent } from '../../directory/agents/get-agent.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { responseCache } from '../../platform/http/response-cache/response-cache-plugin.ts';
import { registerPages } from './register-pages.ts';

const publicUrls = createPublicUrls('https://trust.example');
let test: TestDatabase;
let database: Database;
let app: FastifyInstance;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
  app = await openPages();
});
afterEach(() => test.empty());
afterAll(async () => {
  await app.close();
  await test.close();
});

async function openPages(reads: Connection = database): Promise<FastifyInstance> {
  const pages = Fastify();
  pages.decorateRequest('errorCode', null);
  responseCache(pages, { cache: null, reads });
  await registerPages(pages, { reads, publicUrls });
  return pages;
}

async function get(url: string) {
  const { statusCode, headers, body } = await app.inject(url);
  return { status: statusCode, headers, body };
}

describe('pages of subjects', () => {
  it('show the same record and score version as the API', async () => {
    const listing = await makeListing(database, {
      repository: 'Acme/Robot',
      name: 'Map Maker',
      type: 'agent',
      stars: 4321,
    });
    await makeScore(database, listing, {
      trust: 61.7,
      confidence: 42.3,
      version: '2026-08-01T10:20:30.123456Z',
    });
    const record = presentAgent(await getAgent(database, listing.agentId), new Map());

    const { status, headers, body } = await get('/a/Acme/Robot');

    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const figures = `Trust ${record.trustScore?.toFixed(0)} · Confidence ${record.confidence?.toFixed(0)}%`;
    for (const text of [record.id, record.name, figures, '<dd>62</dd>', '<dd>42%</dd>', '4,321']) {
      expect(body).toContain(text);
    }
    expect(body).toContain('2026-08-01T10:20:30.123456Z');
    expect(body).toContain('href="https://github.com/Acme/Robot"');
  });

  it('are found by repository (case-insensitively), agent id and canonical id, with one canonical URL', async () => {
    const listing = await makeListing(database, { repository: 'Acme/Robot', type: 'skill' });

    for (const url of ['/s/acme/robot', '/s/Acme/Robot', `/s/id/${listing.agentId}`, `/s/id/${listing.id}`]) {
      const { status, body } = await get(url);
      expect([url, status]).toEqual([url, 200]);
      expect(body).toContain('<link rel="canonical" href="https://trust.example/s/Acme/Robot"/>');
    }
  });

  it('never show a subject of another type', async () => {
    const listing = await makeListing(database, { repository: 'acme/robot', type: 'skill' });

    for (const url of ['/a/acme/robot', `/a/id/${listing.agentId}`, `/a/id/${listing.id}`]) {
      expect((await get(url)).status).toBe(404);
    }
  });

  it("exist for artifacts, which their repository's page lists", async () => {
    const listing = await makeListing(database, { repository: 'acme/skills', type: 'skill' });
    const id = await makeArtifact(database, listing, {
      name: 'Draw maps/2',
      path: 'skills/maps',
      type: 'skill',
    });

    const artifact = await get('/s/acme/skills/Draw%20maps%2F2');
    expect(artifact.status).toBe(200);
    expect(artifact.body).toContain(id);
    expect(artifact.body).toContain('href="/s/acme/skills"');
    expect((await get(`/s/id/${id}`)).body).toContain('Draw maps/2');
    expect((await get('/s/acme/skills')).body).toContain('href="/s/acme/skills/Draw%20maps%2F2"');
  });

  it('show lineage with links and claims', async () => {
    const parent = await makeListing(database, { repository: 'base/core', type: 'agent' });
    await makeScore(database, parent, { trust: 90, confidence: 90, ownTrust: 86.8, ownConfidence: 83 });
    await makeListing(database, { repository: 'acme/robot', type: 'skill', parentId: parent.id });

    const child = (await get('/s/acme/robot')).body;
    const above = (await get('/a/base/core')).body;

    expect(child).toMatch(/<a href="\/a\/base\/core">.*based on, claimed, passes on\s+30\.6/s);
    expect(above).toContain('href="/s/acme/robot"');
  });

  it('offer a choice if a repository has several subjects of the type, but no listing of it', async () => {
    const listing = await makeListing(database, { repository: 'acme/team', type: 'agent' });
    await makeArtifact(database, listing, { name: 'one' });
    await makeArtifact(database, listing, { name: 'two' });

    const { status, body } = await get('/s/acme/team');

    expect(status).toBe(409);
    expect(body).toContain('href="/s/acme/team/one"');
    expect(body).toContain('href="/s/acme/team/two"');
  });
});

describe('pages of creators', () => {
  it("show the creator's own score and listings", async () => {
    const creator = await makeCreator(database, { handle: 'Acme', displayName: 'Acme Inc' });
    await makeScore(database, creator, { trust: 48.5, confidence: 58.6 });
    await makeListing(database, { repository: 'acme/robot', creator });

    const { status, body } = await get('/c/acme');

    expect(body).toContain('href="/console/accounts?host=github.com&amp;handle=Acme"');

    expect(status).toBe(200);
    for (const text of ['Acme Inc', '<dd>49</dd>', '<dd>59%</dd>', 'href="/s/acme/robot"'])
      expect(body).toContain(text);
  });

  it('distinguish hosts', async () => {
    await makeCreator(database, { handle: 'acme', displayName: 'On GitHub' });
    await makeCreator(database, { handle: 'acme', host: 'gitlab.com', displayName: 'On GitLab' });

    expect((await get('/c/acme')).body).toContain('On GitHub');
    expect((await get('/c/gitlab.com:acme')).body).toContain('On GitLab');
  });
});

describe('the directory', () => {
  it('lists, searches and pages', async () => {
    for (let index = 0; index < 23; index += 1) await makeListing(database, { name: `Robot ${index}` });
    await makeListing(database, { name: 'Weather' });

    expect((await get('/agents')).body).toContain('1–20 of 24 agents and skills');
    expect((await get('/agents?page=2')).body).toContain('21–24 of 24');
    const found = await get('/agents?q=weather');
    expect(found.body).toContain('1 agent or skill');
    expect(found.body).not.toContain('Robot');
  });

  it.each([
    '/agents?page=-1',
    '/agents?tier=x&sort=y',
    '/agents?q=%3Cscript%3E',
    '/agents?q=a&q=b',
    '/agents?page=99999999',
    '/agents?q=%00%01',
  ])('shows a page for %s, because people may type such a query', async (url) => {
    expect((await get(url)).status).toBe(200);
  });
});

describe('listing URLs', () => {
  it("redirect to the page of the listing's type", async () => {
    await makeListing(database, { repository: 'Acme/Robot', type: 'skill' });

    const { status, headers } = await get('/acme/robot');

    expect(status).toBe(302);
    expect(headers.location).toBe('/s/Acme/Robot');
  });

  it('do not redirect if the owner has the name of one of our own paths, but the full path works', async () => {
    await makeListing(database, { repository: 'docs/robot', type: 'agent' });

    expect((await get('/docs/robot')).status).toBe(404);
    expect((await get('/a/docs/robot')).status).toBe(200);
  });

  it('leave paths below our own top-level segments to the API', async () => {
    const withApi = await openPages();
    withApi.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'not_found' }));

    for (const url of ['/api/nothing', '/health/x', '/Docs/x'])
      expect((await withApi.inject(url)).body).toBe('{"error":"not_found"}');
    await withApi.close();
  });

  it('never redirect to another site', async () => {
    for (const url of [
      '//evil.example/x',
      '/%2F%2Fevil.example/x',

      '/https:%2F%2Fevil.example/x',
    ]) {
      const { status, headers } = await get(url);
      expect([url, status]).toEqual([url, 404]);
      expect(headers.location).toBeUndefined();
    }
  });
});

describe('unknown subjects', () => {
  it.each([
    '/a/acme/nothing',
    '/s/acme/nothing',
    '/s/acme/nothing/x',
    '/c/nobody',
    '/acme/nothing',
    '/a/id/AGT-ZZZZZZZZ',
    '/a/x/%00',
  ])('are a 404 page at %s, and the request stores nothing', async (url) => {
    const { status, headers, body } = await get(url);

    expect(status).toBe(404);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(body).toContain('Not found');
    const [row] = await database.query(
      'SELECT (SELECT count(*) FROM subject) + (SELECT count(*) FROM subject_alias) AS n',
    );
    expect(row).toEqual({ n: 0 });
  });
});

describe('every page', () => {
  it.each(['/', '/agents', '/a/acme/robot', '/c/nobody', '/acme/nothing', '/assets/site.css'])(
    'at %s lets the browser load only files of this site',
    async (url) => {
      await makeListing(database, { repository: 'acme/robot', type: 'agent' });

      const { headers } = await get(url);

      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
          "base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
      );
      expect(headers).toMatchObject({
        'referrer-policy': 'strict-origin-when-cross-origin',
        'cross-origin-opener-policy': 'same-origin',
      });
    },
  );

  it('reveals nothing about an unexpected failure', async () => {
    const broken = await openPages({
      ...database,
      query: () => Promise.reject(new Error('secret detail')),
    });

    const { statusCode, body } = await broken.inject('/');

    expect(statusCode).toBe(500);
    expect(body).not.toContain('secret');
    await broken.close();
  });
});
