import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { openReadingProcess, type ReadingProcess } from '../../../../testing/http/reading-process.ts';
import {
  makeArtifact,
  makeListing,
  makeRelation,
  makeScore,
} from '../../../../testing/subjects/registry.factory.ts';
import { saveFacts } from '../../../catalog/facts/observed-facts.ts';
import { refreshSearch } from '../../../catalog/listings/write-listings.ts';
import { searchInTurn } from '../../../directory/lists/list-agents.ts';
import { buildSearch } from '../../../directory/search/build-search.ts';

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
  it('shows the count of each filter, and keeps the others in its links', async () => {
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

  it('shows each chosen filter with a link that removes it, and keeps them for the next search', async () => {
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

  it('shows the nearest entries if none matches, and only then', async () => {
    for (const name of ['echidna', 'kookaburra', 'bandicoot'])
      await makeListing(test.database, { name, repository: `near/${name}` });

    const { body } = await get('/agents?q=echidna+kookaburra+bandicoot&sort=relevance');

    expect(body).toContain('<h2 id="nearest">');
    expect(body).toContain('They have some of the words.');
    expect(body).toContain('href="/s/near/kookaburra"');
    for (const [q, nearest] of [
      ['echidnology', 'Their words are spelled like those of your search.'],
      ['zyzzyva', 'These are well-known entries.'],
    ]) {
      const unknown = (await get(`/agents?q=${q}`)).body;
      expect(unknown).toContain(nearest);
      expect(unknown).toContain(`“<bdi>${q}</bdi>” was ignored: no entry is known to have this word.`);
      expect(unknown).toContain(q === 'zyzzyva' ? '<ol class="rows"' : 'href="/s/near/echidna"');
    }
    expect((await get('/agents?q=echidna&sort=relevance')).body).not.toContain('id="nearest"');
  });

  it('rejects a search for a long text while too many such searches wait', async () => {
    const text = Array.from({ length: 15 }, (_, at) => `platypus${at}`).join(' ');
    const search = await buildSearch(test.database, text);
    let release = () => undefined as unknown;
    const released = new Promise<unknown>((resolve) => {
      release = () => resolve(null);
    });
    const others = Array.from({ length: 21 }, () => searchInTurn(search, () => released));

    const refused = await get(`/agents?q=${encodeURIComponent(text)}`);
    const short = await get('/agents?q=platypus');
    release();
    await Promise.all(others);
    const shown = await get(`/agents?q=${encodeURIComponent(text)}`);

    expect([refused.status, short.status, shown.status]).toEqual([503, 200, 200]);
    expect(refused.body).toContain('Too many searches for long texts');
  });

  it('names words that only an artifact of the repository has, and says that the owner published the entry', async () => {
    const { database } = test;
    const box = await makeListing(database, { name: 'toolchest', description: 'Numbat watching', stars: 3 });
    await makeArtifact(database, box, { name: 'count-termites' });
    await makeArtifact(database, box, { name: 'other' });
    await refreshSearch(database, [box.id]);
    await saveFacts(database, [
      {
        subjectId: box.id,
        fact: 'official_maker',
        value: { namespace: 'io.github.acme' },
        source: 'MCP registry',
        url: 'https://registry.example/box',
        license: null,
        observedAt: '2026-11-01T00:00:00Z',
      },
    ]);

    const { body } = await get('/agents?q=numbat+termites');
    const why = /<p class="why small muted">.*?<\/p>/s.exec(body)?.[0].replace(/<[^>]*>/g, '');
    expect(why).toBe(
      '3 stars · termites inside its repository · matches all words · published by its owner in the MCP registry',
    );
  });

  it('states the day of figures once if all have the same, otherwise for each entry, and not if unknown', async () => {
    const make = async (name: string, day: string | null) => {
      const { id } = await makeListing(test.database, { name, repository: `dated/${name}`, stars: 7 });
      await test.database.query('UPDATE listing SET metrics_observed_at = $2 WHERE subject_id = $1', [
        id,
        day,
      ]);
    };
    await make('quokka-one', '2026-08-20T05:00:00Z');
    await make('quokka-two', '2026-08-20T21:00:00Z');
    await make('wombat-one', '2026-08-20T05:00:00Z');
    await make('wombat-two', '2026-08-22T05:00:00Z');
    await make('numbat-one', null);

    const sameDay = (await get('/agents?q=quokka')).body;
    const otherDays = (await get('/agents?q=wombat')).body;
    const undated = (await get('/agents?q=numbat')).body;

    expect(sameDay.match(/as of/g)).toHaveLength(1);
    expect(sameDay).toMatch(/Repository figures as of <time[^>]*>20 Aug 2026<\/time><\/p><ol class="rows"/);
    expect(otherDays.match(/<span>as of 2\d Aug 2026<\/span>/g)?.sort()).toEqual([
      '<span>as of 20 Aug 2026</span>',
      '<span>as of 22 Aug 2026</span>',
    ]);
    expect(otherDays).not.toContain('Repository figures');
    expect(undated).toContain('7 stars');
    expect(undated).not.toContain('as of');
  });

  it('marks an old name and a copy with a link to the current entry, and says if this is inferred', async () => {
    const meant = await makeListing(test.database, { repository: 'acme/meant' });
    const old = await makeListing(test.database, { repository: 'acme/before', name: 'Marked one' });
    const copy = await makeListing(test.database, { repository: 'copier/meant', name: 'Marked two' });
    await makeRelation(test.database, 'renamed_to', [old, meant]);
    await makeRelation(test.database, 'copied_from', [copy, meant], { stated: false });

    const { body } = await get('/agents?q=marked&sort=name');

    const link = '<a href="/s/acme/meant"><bdi>acme/meant</bdi></a>';
    expect(body).toContain(`<p class="small">The old name of ${link}</p>`);
    expect(body).toContain(`<p class="small">Probably a copy of ${link}</p>`);
    expect((await get('/agents?q=core')).body).not.toMatch(/old name of|copy of/);
  });

  it("shows a row's licence in words, and warnings first", async () => {
    const make = (name: string, license: string | null) =>
      makeListing(test.database, { name, license, stars: 1 });
    for (const license of ['MIT', 'NOASSERTION', 'none', 'Some company licence with terms', null])
      await make(`licensed ${license ?? 'unknown'}`, license);
    const warned = await make('licensed archived', null);
    await makeScore(test.database, warned, { trust: 40, confidence: 50 });
    await test.database.query(
      "UPDATE listing_rank SET verdict = 'warning', reasons = '{archived,widely_used}' WHERE subject_id = $1",
      [warned.id],
    );

    const { body } = await get('/agents?q=licensed&sort=name');

    const facts = [...body.matchAll(/<p class="meta"><span>((?:[^<]|<\/span><span>)*)<\/span><\/p>/g)].map(
      ([, text = '']) => text.split('</span><span>'),
    );
    expect(facts).toEqual([
      ['archived by its owner', '1 star', 'not claimed'],
      ['1 star', 'MIT', 'not claimed'],
      ['1 star', 'other licence', 'not claimed'],
      ['1 star', 'no licence', 'not claimed'],
      ['1 star', 'other licence', 'not claimed'],
      ['1 star', 'not claimed'],
    ]);
  });

  it('shows the entries with a verdict, and offers the others without counts', async () => {
    for (const [name, verdict] of [
      ['judged well', 'well_evidenced'],
      ['judged badly', 'warning'],
    ] as const) {
      const { id } = await makeListing(test.database, { name });
      await makeScore(test.database, { id }, { trust: 40, confidence: 50 });
      await test.database.query(
        "UPDATE listing_rank SET verdict = $2, reasons = '{}' WHERE subject_id = $1",
        [id, verdict],
      );
    }

    const { body } = await get('/agents?q=judged&verdict=warning&sort=name');
    const { body: none } = await get('/agents?q=judged&verdict=verified');

    expect(body).toContain('judged badly');
    expect(body).not.toContain('judged well');
    expect(body).toContain('<summary>Verdict: Warning</summary>');
    expect(body).toContain(
      'href="/agents?q=judged&amp;verdict=well_evidenced&amp;sort=name">Well evidenced </a>',
    );
    expect(none).toContain('<a href="/agents?q=judged">See all 2 with another one</a>');
  });

  it('states the count without filters if they exclude everything', async () => {
    const { body } = await get('/agents?q=core&type=skill');

    expect(body).toContain('<a href="/agents?q=core">See all 1 without them</a>');
  });

  it('links to the search without filters if removing any one still matches nothing', async () => {
    const { body } = await get('/agents?q=core&tag=nobody-has-this&license=No-Such');

    expect(body).toContain('<a href="/agents?q=core">Search without them</a>');
  });

  it('links to a search for each word if no entry has enough of them', async () => {
    await makeListing(test.database, { name: 'zebra', repository: 'single/zebra' });
    const { body } = await get('/agents?q=robot+zebra+zyzzyva&sort=name');

    expect(body).toContain('<a href="/agents?q=robot">');
    expect(body).toContain('<a href="/agents?q=zebra">');
    expect(body).not.toContain('<a href="/agents?q=zyzzyva">');
  });

  it('redirects permanently from its former path, with the whole query', async () => {
    for (const query of ['q=core', 'type=agent&page=2', 'q=%2F%2Fevil.example&x=1', 'q=', 'verified=true']) {
      const { status, headers } = await get(`/?${query}`);
      expect([status, headers.location]).toEqual([301, `/agents?${query}`]);
    }
    expect((await get('/?utm_source=x')).status).toBe(200);
  });

  it('does not hide the listings of an owner with the same name', async () => {
    await makeListing(test.database, { repository: 'agents/robot', type: 'agent' });

    expect((await get('/agents/robot')).headers.location).toBe('/a/agents/robot');
    expect((await get('/agents')).status).toBe(200);
  });
});
