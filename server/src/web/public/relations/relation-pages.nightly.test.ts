import { readFileSync } from 'node:fs';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createImportWorkspace, type ImportWorkspace } from '../../../../testing/import/import-workspace.ts';
import { artifact, listing, relation } from '../../../../testing/import/rows.ts';
import { drawingsIn, expectDrawable } from '../../../../testing/pages/svg-drawings.ts';
import { createPublicUrls } from '../../../catalog/subjects/public-path.ts';
import { resolveSubject } from '../../../catalog/subjects/resolve-subject.ts';
import { sampleFiles } from '../../../intake/import/import-files.ts';
import type { Database } from '../../../platform/database/connect.ts';
import { trackDependencies } from '../../../platform/database/tracked-dependencies.ts';
import { useConditionalGet } from '../../../platform/http/conditional-get.ts';
import { responseCache } from '../../../platform/http/response-cache/response-cache-plugin.ts';
import { loadListingDetails } from '../listing/listing.queries.ts';
import { registerPages } from '../register-pages.ts';
import { headingOf } from './linked-relations.ts';

interface Stated {
  type: string;
  from: string;
  to: string;
  directed: boolean;
  evidence: string;
  source: string;
}

/** File with one real relation, and its source, for each kind that the sample lacks. */
const FURTHER = new URL('../../../../testing/pages/real-relations.ndjson', import.meta.url);
const readRows = (file: URL | string): Stated[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const publicUrls = createPublicUrls('https://trust.example');
let work: ImportWorkspace;
let database: Database;
let app: FastifyInstance;
let relations: Stated[];

beforeAll(async () => {
  work = await createImportWorkspace();
  database = work.database;
  const sample = sampleFiles();
  const further = readRows(FURTHER);
  relations = [...readRows(sample.find((file) => file.includes('relations')) ?? ''), ...further];
  await work.run(sample);
  const listed = await listedNames();
  const ends = further.flatMap(({ from, to }) => [from, to].map((end) => end.split('#')[0] ?? ''));
  const missing = new Set(ends.filter((name) => !listed.has(name.toLowerCase())));
  await work.store(...[...missing].map((name) => listing(name)), ...(further as never[]));
  await storeFurtherListings();
  app = Fastify();
  app.decorateRequest('errorCode', null);
  useConditionalGet(app, 0);
  responseCache(app, { cache: null, reads: database });
  await registerPages(app, { reads: database, publicUrls });
}, 120_000);

afterAll(async () => {
  await app.close();
  await work.close();
});

async function listedNames(): Promise<Set<string>> {
  const rows = await database.query<{ name: string }>('SELECT lower(repository) AS name FROM listing');
  return new Set(rows.map(({ name }) => name));
}

const COPIES = 5_000;

/** Stores a skill file with copies in 5,000 other repositories, one of them listed, and a chain of renames. */
async function storeFurtherListings(): Promise<void> {
  await work.store(
    listing('first/skills', { createdAt: '2023-04-05T00:00:00Z' }),
    listing('star/skills', { createdAt: '2024-01-01T00:00:00Z', formerRepositories: ['star/older'] }),
    artifact('star/skills', 'maps', { path: 'skills/maps' }),
    artifact('first/skills', 'maps', { path: 'maps' }),
    ...Array.from({ length: COPIES }, (_, n) =>
      relation(
        'identical_skill_file',
        n === 0 ? 'first/skills#maps/SKILL.md' : `fan-${n}/skills#m/SKILL.md`,
        'star/skills#skills/maps/SKILL.md',
        {
          directed: false,
          stated: false,
          evidence: 'both files are git blob 0a',
        },
      ),
    ),
    listing('name/one', { probablyRenamedTo: 'name/two' }),
    listing('name/two', { probablyRenamedTo: 'name/three' }),
    listing('name/three', { mcpRegistryName: 'io.github.name/three' }),
    listing('atlas/kit', { name: 'Atlas of Maps' }),
    listing('un/related'),
  );
}

async function get(url: string): Promise<{ status: number; body: string }> {
  const answer = await app.inject({ url });
  return { status: answer.statusCode, body: answer.body };
}

async function pageOf(name: string, query = ''): Promise<string> {
  const { publicPath } = await resolveSubject(database, ['agent', 'skill'], name, publicUrls);
  return (await get(`${publicPath}${query}`)).body;
}

/** Returns the text of HTML without tags. */
function textOf(html: string): string {
  const plain = html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  return plain.replaceAll('&lt;', '<').replaceAll('&amp;', '&').replaceAll('&quot;', '"');
}

describe('every real relation', () => {
  it("is shown on both listed ends' pages: kind, other end, evidence and source", async () => {
    const listed = await listedNames();
    let shown = 0;
    for (const { type, from, to, directed, evidence, source } of relations) {
      const ends = [from, to].map((end) => end.split('#')[0] ?? '') as [string, string];
      for (const [place, own] of ends.entries()) {
        if (!listed.has(own.toLowerCase())) continue;
        const other = ends[1 - place] ?? '';
        const direction = directed ? (place === 0 ? 'out' : 'in') : 'both';
        const query = `?${new URLSearchParams({ relations: type, direction })}`;
        const [page, list] = [textOf(await pageOf(own)), textOf(await pageOf(own, query))];
        expect(page).toContain(headingOf(type, direction));
        expect(list).toContain(other);
        expect(list).toContain(`${source} , recorded`);
        // For a relation of several files, the list shows no evidence, because each file has its own.
        if (!/ \d+ files/.test(list)) expect(list).toContain(`“${evidence.trim()}”`);
        shown += 1;
      }
    }

    expect(shown).toBeGreaterThan(relations.length);
    expect(new Set(relations.map(({ type }) => type)).size).toBe(11);
  });

  it('renders well-formed, small pages without inline styles or scripts', async () => {
    for (const name of ['github/awesome-copilot', 'anthropics/skills#webapp-testing', 'star/skills']) {
      const body = await pageOf(name);

      for (const drawing of drawingsIn(body)) expectDrawable(drawing);
      expect(body.length).toBeLessThan(100_000);
      expect(body).not.toMatch(/ style=|<script(?! src)/);
    }
  });
});

describe('a file in thousands of repositories', () => {
  it('shows the total, the oldest repository and the first few copies, and the rest on further pages', async () => {
    const body = await pageOf('star/skills#maps');

    const text = textOf(body);
    expect(text).toContain(`in 5,000 other repositories`);
    expect(text).toContain('The oldest known to have it is first/skills , from 5 Apr 2023');
    expect(body.match(/git blob 0a/g)?.length).toBeLessThanOrEqual(5);
    expect(body).toContain('href="/s/star/skills/maps?relations=identical_skill_file&amp;direction=both"');
    const last = await pageOf('star/skills#maps', '?relations=identical_skill_file&direction=both&page=250');
    expect(last.match(/git blob 0a/g)).toHaveLength(20);
    expect(last).toContain('noindex');
    expect(textOf(await pageOf('star/skills#maps', '?relations=x&direction=both'))).toContain(
      'We know of no relation',
    );
  });

  it('is summarised on the page of its repository, with the oldest repository', async () => {
    const text = textOf(await pageOf('star/skills'));

    expect(text).toContain('1 of its 1 listed skill is identical to files in 5,000 other repositories.');
    expect(textOf(await pageOf('first/skills'))).toContain(
      'This is the oldest repository known to have 1 of them',
    );
  });
});

describe('an old name', () => {
  it('links to the newest name, whose page mentions the old one', async () => {
    expect(textOf(await pageOf('name/one'))).toContain('This is very likely an old name of name/three');
    expect(textOf(await pageOf('name/three'))).toContain('Probably formerly name/two');
  });

  it('without its own listing shows the present listing, and says so', async () => {
    const text = textOf((await get('/s/Star/Older')).body);

    expect(text).toContain('Star/Older is now called star/skills');
    expect(text).toContain('Formerly star/older');
    expect(textOf(await pageOf('star/skills'))).not.toContain('is now called');
  });
});

describe('the page of a creator', () => {
  it('shows the relations of their listings, each with the listing that it is about', async () => {
    const text = textOf((await get('/c/first')).body);

    expect(text).toContain('Origins and copies');
    expect(text).toMatch(/Same file in first\/skills : star\/skills m?aps\/SKILL\.md inferred from/);
  });

  it('shows the first few of thousands, and the rest on further pages', async () => {
    const body = (await get('/c/star')).body;

    expect(body).toContain('href="/c/star?relations=identical_skill_file&amp;direction=both"');
    expect(textOf(body)).toMatch(/All [1-5],\d{3}/);
    const page = (await get('/c/star?relations=identical_skill_file&direction=both&page=2')).body;
    expect(page.match(/star\/skills<\/bdi><\/a>: /g)).toHaveLength(20);
    expect(page).toContain('noindex');
    expect((await get('/c/star?relations=x&direction=both')).status).toBe(404);
  });

  it('shows a relation between two own listings once, at the younger end', async () => {
    const text = textOf((await get('/c/name')).body);

    expect(text).toMatch(/Probably now called name\/two : name\/three .* name\/one : name\/two /);
    expect(text).not.toContain('Probably formerly');
  });

  it('has no section about relations without relations', async () => {
    expect((await get('/c/un')).body).not.toContain('Origins and copies');
  });
});

describe('other sections of pages with relations', () => {
  it('an artifact shows similar listings, which share words of its name', async () => {
    const body = await pageOf('star/skills#maps');

    expect(body).toContain('<h2 id="similar">Similar</h2>');
    expect(body).toContain('href="/s/atlas/kit"');
    expect(body).not.toContain('/compare?a=');
  });

  it('a listing shows its name in the MCP registry', async () => {
    const body = await pageOf('name/three');

    expect(body).toContain('<pre>io.github.name/three</pre>');
    expect(body).toContain(
      'href="https://registry.modelcontextprotocol.io/v0.1/servers/io.github.name%2Fthree/versions/latest"',
    );
    expect(await pageOf('name/two')).not.toContain('MCP registry</h3>');
  });
});

describe('the details of a listing, with relations', () => {
  it('are read in one statement, even if its files exist elsewhere', async () => {
    const statements = async (name: string) => {
      const { connection, record } = trackDependencies(database);
      const { id } = await resolveSubject(database, ['agent', 'skill'], name, publicUrls);
      await loadListingDetails(connection, id);
      return record.statements;
    };

    expect(await statements('un/related')).toBe(1);
    expect(await statements('charmbracelet/crush')).toBe(1);
    expect(await statements('first/skills')).toBe(1);
  });
});
