import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { openReadingProcess, type ReadingProcess } from '../../../testing/http/reading-process.ts';
import { makeListing, makeScore } from '../../../testing/subjects/registry.factory.ts';

let test: TestDatabase;
let server: ReadingProcess;

beforeAll(async () => {
  test = await createTestDatabase();
  const { database } = test;
  const core = await makeListing(database, { repository: 'base/core', type: 'agent', category: 'data' });
  await makeScore(database, core, { trust: 84.1, confidence: 80, tier: 'high' });
  await makeListing(database, { repository: 'acme/robot', type: 'agent' });
  for (let index = 0; index < 30; index += 1)
    await makeListing(database, { repository: `fork-${index}/robot`, verified: index < 2 });
  server = await openReadingProcess(test.url);
});
afterAll(async () => {
  await server?.close();
  await test?.close();
});

async function get(url: string) {
  const { statusCode, headers, body } = await server.app.inject(url);
  return { status: statusCode, headers, body };
}

describe('the list', () => {
  it('shows what each filter would leave, and keeps the others in its address', async () => {
    const all = (await get('/agents')).body;
    const agents = (await get('/agents?type=agent')).body;

    expect(all).toContain('<a href="/agents?type=agent"><bdi>agent</bdi> <span>2</span></a>');
    expect(all).toContain('<a href="/agents?verified=true">verified <span>2</span></a>');
    expect(agents).toContain('2 agents and skills');
    expect(agents).toContain('<a href="/agents?type=agent&amp;tier=high"><bdi>high</bdi> <span>1</span></a>');
    expect(agents).not.toContain('>verified <span>');
    expect((await get('/agents?q=core')).body).toContain(
      '<a href="/agents?q=core&amp;category=data"><bdi>data</bdi> <span>1</span></a>',
    );
  });

  it('names each chosen filter with the way back from it, and keeps them for the next search', async () => {
    const { body } = await get('/agents?q=robot&type=skill&verified=true');
    const chosen = body.slice(body.indexOf('aria-label="Chosen filters"'));

    expect(chosen).toContain(
      'href="/agents?q=robot&amp;verified=true"><span class="hidden">Remove </span>Type: <bdi>skill</bdi>',
    );
    expect(chosen).toContain(
      'href="/agents?q=robot&amp;type=skill"><span class="hidden">Remove </span>Owner: verified',
    );
    expect(chosen).toContain('href="/agents?q=robot">Clear all</a>');
    expect(body).toContain('<input type="hidden" name="type" value="skill"/>');
    expect((await get('/agents?q=robot')).body).not.toContain('Chosen filters');
  });

  it('says where filters leave nothing how much there is without them', async () => {
    const { body } = await get('/agents?q=core&type=skill');

    expect(body).toContain('<a href="/agents?q=core">See all 1 without them</a>');
  });

  it('offers each word where nothing has all of them', async () => {
    const { body } = await get('/agents?q=robot+zebra');

    expect(body).toContain('<a href="/agents?q=robot">');
    expect(body).toContain('<a href="/agents?q=zebra">');
  });

  it('leads on from where it was, for good and with all that was asked for', async () => {
    for (const query of ['q=core', 'type=agent&page=2', 'q=%2F%2Fevil.example&x=1', 'q=', 'verified=true']) {
      const { status, headers } = await get(`/?${query}`);
      expect([status, headers.location]).toEqual([301, `/agents?${query}`]);
    }
    expect((await get('/?utm_source=x')).status).toBe(200);
  });

  it('has no address of a repository: an owner named as it is has their listing', async () => {
    await makeListing(test.database, { repository: 'agents/robot', type: 'agent' });

    expect((await get('/agents/robot')).headers.location).toBe('/a/agents/robot');
    expect((await get('/agents')).status).toBe(200);
  });
});
