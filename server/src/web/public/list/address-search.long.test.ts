import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectEveryRow } from '../../../../testing/every-row.ts';
import { openReadingProcess, type ReadingProcess } from '../../../../testing/http/reading-process.ts';
import { createImportWorkspace, type ImportWorkspace } from '../../../../testing/import/import-workspace.ts';
import { listing } from '../../../../testing/import/rows.ts';
import { fewerUnlessNightly } from '../../../../testing/nightly.ts';
import { REGISTRY, SPELLINGS, type Spelling } from '../../../../testing/subjects/spellings.ts';
import { createPublicUrls } from '../../../catalog/subjects/public-path.ts';
import { delistListing } from '../../../directory/delisting/delist-listing.ts';

/** Options to run tests concurrently: searches change nothing, so their order does not matter. */
const AT_ONCE = { concurrency: 4 };
const nameOf = (text: string) => JSON.stringify(text);

let work: ImportWorkspace;
let server: ReadingProcess;
let site: string;
/** `AGT-` id of the listing on gitlab.com, whose owner and repository name also exist on another host. */
let otherHost: string;

beforeAll(async () => {
  work = await createImportWorkspace();
  await work.store(...REGISTRY, listing('gone/away'), listing('other/robot', { name: 'Away' }));
  server = await openReadingProcess(work.url);
  site = server.services.config.publicUrl;
  const [row] = await work.database.query<{ agentId: string }>(
    `SELECT agent_id AS "agentId" FROM listing WHERE host = 'gitlab.com'`,
  );
  otherHost = row?.agentId ?? '';
  const publicUrls = createPublicUrls(site);
  await delistListing(work.database, { text: 'gone/away', reason: 'its owner asked for it', publicUrls });
});
afterAll(async () => {
  await server.close();
  await work.close();
});

interface Answer {
  status: number;
  /** Expected redirect; null for a list. */
  location: string | null;
  body: string;
}

async function ask(url: string): Promise<Answer> {
  const { statusCode, headers, body } = await server.app.inject(url);
  return { status: statusCode, location: (headers.location as string | undefined) ?? null, body };
}

const search = (text: string, more = '') =>
  ask(`/agents?q=${encodeURIComponent(text.toWellFormed())}${more}`);

/** Returns the note above the results, as text. */
function noteIn(body: string): string | null {
  const [, note] = /<div class="notice">(.*?)<\/div>/s.exec(body) ?? [];
  return note === undefined
    ? null
    : note
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim();
}

/** Ordinary words, for which the page shows a search even if an entry has this name. */
const WORDS = new Set([
  ...['Map Maker', 'map   maker', 'Skill Box', 'skills', 'guide', 'robot', 'twice'],
  ...['acme', 'Acme Inc', 'acmelabs', 'Acme Labs', 'acme_news', 'Acme News'],
]);
/** Unknown addresses below a known repository. */
const BELOW = new Set(['acme/robot#nothing', 'acme/robot/skills/nothing']);

describe('an address in the search box', () => {
  it('leads to its page, or stays a search', async () => {
    const check = async ({ text, pages, any }: Spelling) => {
      const { status, location, body } = await search(text.replace('{SITE}', site));

      const isFound = any !== 'several' && any !== 'nobody' && !WORDS.has(text);
      const page = BELOW.has(text) ? '/a/Acme/Robot' : isFound ? (pages[any] ?? '') : null;
      expect(location).toBe(page?.replace('{OTHER_HOST}', otherHost) ?? null);
      expect(status).toBe(page === null ? 200 : 303);
      if (WORDS.has(text)) expect(noteIn(body)).toBeNull();
    };

    await expectEveryRow(SPELLINGS, ({ text }) => nameOf(text), check, AT_ONCE);
  });

  it("resolves a listing's id, case-insensitively, and a canonical id", async () => {
    const [row] = await work.database.query<{ agentId: string; id: string }>(
      `SELECT agent_id AS "agentId", subject_id AS id FROM listing WHERE repository = 'acme/skills'`,
    );
    const { agentId = '', id = '' } = row ?? {};

    for (const text of [agentId, agentId.toLowerCase(), ` ${agentId} `, id, `${site}/api/agents/${agentId}`])
      expect([text, (await search(text)).location]).toEqual([text, '/s/acme/skills']);
  });

  it.each([
    'https://api.github.com/repositories/1',
    'api.github.com/repositories/1/',
    'github:id/1',
    'GitHub.com:id/1',
  ])('redirects for the id of a repository at its host, whatever its current name: %s', async (text) => {
    expect((await search(text)).location).toBe('/a/Acme/Robot');
  });

  it.each(['https://gitlab.com/projects/1', 'gitlab.com:id/1', 'https://api.github.com/repositories/12'])(
    'does not redirect for an id that no repository of the host has: %s',
    async (text) => {
      expect((await search(text)).location).toBeNull();
    },
  );

  it.each([
    ['https://github.com/acme/robot/issues/12', '/a/Acme/Robot'],
    ['https://github.com/acme/robot/blob/main/README.md#install', '/a/Acme/Robot'],
    ['https://github.com/acme/robot?tab=readme-ov-file#install', '/a/Acme/Robot'],
    ['https://github.com/acme/old-robot/pull/3', '/a/Acme/Robot'],
    ['/s/acme/robot', '/s/Acme/Robot/Draw%2FMaps'],
    ['/a/acme/renamed', '/s/acme/renamed'],
    ['/a/acme/robot#why', '/a/Acme/Robot'],
    [`https://github.com/acme/robot/blob/main/${'deep/'.repeat(60)}file.ts`, '/a/Acme/Robot'],
  ])('%s redirects to the page of its subject', async (text, page) => {
    expect((await search(text)).location).toBe(page);
  });

  it('resolves under any filters and order', async () => {
    const { status, location } = await search('acme/robot', '&type=skill&tier=high&sort=name&page=3');

    expect([status, location]).toEqual([303, '/a/Acme/Robot']);
  });

  it('offers each of several matching entries', async () => {
    const { status, body } = await search('@twice');

    expect(status).toBe(200);
    expect(noteIn(body)).toMatch(/^Several entries have the name @twice ?:/);
    expect(body).toContain('href="/u/x/twice"');
    expect(body).toContain('href="/u/bluesky/twice"');
  });

  it('explains an unknown address, with search results for its words', async () => {
    const { body } = await search('https://github.com/nobody/robot/tree/main');

    expect(noteIn(body)).toBe('No listing for nobody/robot in the directory yet. Search results for robot :');
    expect(body).toContain('href="/s/other/robot"');
    expect(body).toContain('value="https://github.com/nobody/robot/tree/main"');
  });

  it.each([
    ['nobody/nothing', 'No listing for nobody/nothing in the directory yet.'],
    ['gitlab.com/nobody/nothing.git', 'No listing for gitlab.com/nobody/nothing in the directory yet.'],
    ['npm:nothing', 'No listing for npm:nothing in the directory yet.'],
    ['@nobody', 'No creator or account @nobody in the directory yet.'],
    ['https://github.com/nobody', 'No creator or account github.com:nobody in the directory yet.'],
    ['agt-zzzzzzzz', 'No entry with the id AGT-ZZZZZZZZ in the directory yet.'],
    ['gone/away', /^github\.com\/gone\/away was removed by the operator .* its owner asked for it\./],
    ['<b>/<zz>', 'No listing for &lt;b>/&lt;zz> in the directory yet.'],
  ])('says of %s: %s', async (text, note) => {
    const { status, body } = await search(text);

    expect(status).toBe(200);
    expect(noteIn(body)).toEqual(typeof note === 'string' ? note : expect.stringMatching(note));
  });

  it.each([
    'robot',
    'map maker: drawing',
    'ci/cd for robots',
    'c#',
    'robot.js',
    'what is @acme',
    'a @ b',
    '@',
  ])('searches for %s as words', async (text) => {
    const { status, location, body } = await search(text);

    expect([status, location, noteIn(body)]).toEqual([200, null, null]);
  });

  it('stays a plain search in the API', async () => {
    const { status, location, body } = await ask('/api/agents?q=acme%2Frobot');

    expect([status, location]).toEqual([200, null]);
    expect(JSON.parse(body)).toHaveProperty('data');
  });
});

describe('the target of a search', () => {
  const HOSTILE = [
    ...['//evil.example', '///evil.example/acme/robot', '/\\evil.example', '\\\\evil.example\\acme\\robot'],
    ...['https://evil.example', 'https://evil.example/a/acme/robot', 'https:evil.example/acme/robot'],
    ...['https://github.com@evil.example/acme/robot', 'https://github.com.evil.example/acme/robot'],
    ...['https://github.com\\@evil.example/acme/robot', 'https://evil.example#https://github.com/acme/robot'],
    ...['javascript:alert(1)', 'data:text/html,<script>', 'https://evil.example\r\nLocation: //evil.example'],
    ...['/a//evil.example', '/../../evil.example', '{SITE}@evil.example/acme/robot', '{SITE}//evil.example'],
  ];

  it('is never another site', async () => {
    const check = async (text: string) =>
      expect((await search(text.replace('{SITE}', site))).location).toBeNull();

    await expectEveryRow(HOSTILE, nameOf, check, AT_ONCE);
  });

  it('is always a known page, whatever surrounds the address', async () => {
    const paths = SPELLINGS.flatMap(({ pages }) => Object.values(pages));
    const known = new Set([...paths.map((path) => path.replace('{OTHER_HOST}', otherHost)), null]);
    const parts = fc.constantFrom(
      ...HOSTILE,
      ...SPELLINGS.map(({ text }) => text),
      ...['/', '//', '\\', '@', '#', ':', '?', '%2f%2fevil.example', '\t', '\r\n', ' '],
    );
    const texts = fc
      .array(parts, { minLength: 1, maxLength: 4 })
      .map((all) => all.join('').replaceAll('{SITE}', site));
    const strays: unknown[] = [];

    await fc.assert(
      fc.asyncProperty(fc.array(texts, { minLength: 10, maxLength: 10 }), async (ten) => {
        for (const { status, location } of await Promise.all(ten.map((text) => search(text))))
          if (![200, 303].includes(status) || !known.has(location)) strays.push([status, location]);
      }),
      { numRuns: fewerUnlessNightly(5, 50) },
    );

    expect(strays).toEqual([]);
  });

  it('is looked up with no statement for words, one for a known address, and two for an unknown one', async () => {
    const statements: string[] = [];
    server.onRows(async (sql) => void statements.push(sql));
    const askedFor = async (text: string) => {
      statements.length = 0;
      await search(text);
      return statements.filter((sql) => /subject_alias|delisted_name/.test(sql) && /asked\.place/.test(sql))
        .length;
    };

    const costs = [await askedFor('maker of maps'), await askedFor('acme/robot'), await askedFor('no/one')];
    const whole = statements.length;
    await askedFor('https://github.com/acme/robot/issues/12');
    const direct = statements.length;
    server.onRows(async () => undefined);

    expect(costs).toEqual([0, 1, 2]);
    expect(direct).toBe(2);
    expect(whole).toBeGreaterThan(2);
  });

  it('is found as soon as an entry has the address, although the page is cached', async () => {
    expect(noteIn((await search('late/comer')).body)).toContain('No listing for late/comer');

    await work.store(listing('late/comer'));

    await expect.poll(async () => (await search('late/comer')).location).toBe('/s/late/comer');
  });
});
