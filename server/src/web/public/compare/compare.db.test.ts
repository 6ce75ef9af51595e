import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { makeArtifact, makeListing, makeScore } from '../../../../testing/subjects/registry.factory.ts';
import { createPublicUrls } from '../../../catalog/subjects/public-path.ts';
import { responseCache } from '../../../platform/http/response-cache/response-cache-plugin.ts';
import { registerPages } from '../register-pages.ts';

let test: TestDatabase;
let app: FastifyInstance;
let ids: string[];

beforeAll(async () => {
  test = await createTestDatabase();
  const { database } = test;
  const listings = [];
  for (const [place, trust] of [70, 55, 40, 25, 10].entries()) {
    const made = await makeListing(database, { repository: `acme/robot-${place}`, type: 'agent' });
    await makeScore(database, made, { trust, confidence: 50 });
    listings.push(made);
  }
  ids = listings.map(({ agentId }) => agentId);
  const [first] = listings;
  if (first) await makeArtifact(database, first, { name: 'write-notes' });
  app = Fastify();
  app.decorateRequest('errorCode', null);
  responseCache(app, { cache: null, reads: database });
  await registerPages(app, { reads: database, publicUrls: createPublicUrls('https://trust.example') });
});
afterAll(async () => {
  await app.close();
  await test.close();
});

async function compare(query: string): Promise<{ status: number; body: string; columns: string[] }> {
  const { statusCode, body } = await app.inject(`/compare${query}`);
  const heads = [...body.matchAll(/<th scope="col">.*?<h2><a href="([^"]*)">/gs)];
  return { status: statusCode, body, columns: heads.map(([, path = '']) => path) };
}

describe('the comparison page', () => {
  it('shows an empty form without names', async () => {
    const { status, body, columns } = await compare('');

    expect([status, columns]).toEqual([200, []]);
    expect(body.match(/<input id="name-/g)).toHaveLength(2);
    expect(body).toContain('<link rel="canonical" href="https://trust.example/compare"/>');
  });

  it('compares subjects in the requested order, by any resolvable name', async () => {
    const { columns, body } = await compare(
      `?b=acme/robot-1&a=${ids[2]}&c=https%3A%2F%2Fgithub.com%2Facme%2Frobot-0`,
    );

    expect(columns).toEqual(['/a/acme/robot-2', '/a/acme/robot-1', '/a/acme/robot-0']);
    for (const trust of ['Trust 40', 'Trust 55', 'Trust 70']) expect(body).toContain(trust);
    expect(body).toContain('noindex');
    // The link that removes one subject keeps the others.
    expect(body).toContain(`href="/compare?a=${ids[1]}&amp;b=${ids[0]}"`);
  });

  it('compares the entries ticked in a list, each once, and says that four is the maximum', async () => {
    const picks = [ids[0], ...ids].map((id) => `pick=${id}`).join('&');

    const { columns, body } = await compare(`?${picks}`);

    expect(columns).toEqual(['/a/acme/robot-0', '/a/acme/robot-1', '/a/acme/robot-2', '/a/acme/robot-3']);
    expect(body).toContain('at most 4');
  });

  it('compares artifacts too', async () => {
    const { columns } = await compare('?a=acme/robot-0&b=https://trust.example/s/acme/robot-0/write-notes');

    expect(columns).toEqual(['/a/acme/robot-0', '/s/acme/robot-0/write-notes']);
  });

  it('explains next to its field why a name matches no entry, and compares the other names', async () => {
    const { status, columns, body } = await compare('?a=nobody/nothing&b=acme/robot-1&c=acme/robot-2');

    expect(status).toBe(200);
    expect(columns).toEqual(['/a/acme/robot-1', '/a/acme/robot-2']);
    expect(body).toMatch(
      /aria-invalid="true" aria-describedby="problem-a"[^>]*>\s*<span class="note bad" id="problem-a">No /,
    );
    expect(body.match(/aria-invalid="true"/g)).toHaveLength(1);
    expect(body).toContain('1 of 3 names matches no entry: <a href="#choice">');
  });

  it('mentions sideways scrolling for three or four columns', async () => {
    const hint = 'Scroll sideways';

    expect((await compare(`?a=${ids[0]}&b=${ids[1]}`)).body).not.toContain(hint);
    expect((await compare(`?a=${ids[0]}&b=${ids[1]}&c=${ids[2]}`)).body).toContain(`${hint} to see all 3`);
  });

  it('escapes the names from the query', async () => {
    const { body } = await compare(`?a=${encodeURIComponent('"><script>alert(1)</script>')}`);

    expect(body).not.toContain('<script>alert');
  });
});
