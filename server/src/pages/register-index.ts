import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { loadPublicPaths } from '../subjects/load-public-paths.ts';
import type { Naming } from '../subjects/naming.ts';
import type { SubjectType } from '../subjects/subject-type.ts';

interface IndexParts {
  database: Database;
  naming: Naming;
}

/** Of one file: well under what search engines take, and quick to make. */
const ADDRESSES_PER_FILE = 2_000;
const PUBLIC = { config: { limit: 'public', public: true } } as const;

/** What machines read to find the pages: robots.txt, sitemaps, llms.txt. */
export function registerIndex(pages: FastifyInstance, { database, naming }: IndexParts): void {
  const site = naming.site.href.replace(/\/$/, '');
  pages.get('/robots.txt', PUBLIC, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(robotsText(site)),
  );
  pages.get('/llms.txt', PUBLIC, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(llmsText(site)),
  );
  pages.get<{ Querystring: { page?: unknown } }>('/sitemap.xml', PUBLIC, async (request, reply) => {
    const { page } = request.query;
    const xml =
      page === undefined ? await sitemapIndex(database, site) : await sitemap(database, naming, site, page);
    return reply.type('application/xml; charset=utf-8').send(xml);
  });
}

function robotsText(site: string): string {
  return `User-agent: *
Disallow: /console
Disallow: /sign-in
Disallow: /sign-out
Disallow: /*?*q=

Sitemap: ${site}/sitemap.xml
`;
}

function llmsText(site: string): string {
  return `# Trust Directory

> A directory of agents and skills. Each entry has a trust score (how far the evidence speaks for it) and a confidence
> score (how much evidence there is), with every contribution, its creator and its lineage.

Reading needs no key. Scores of different subject types are separate records; a score is no endorsement.

## API

- [Reference](${site}/docs): for people, every endpoint with its answers and examples
- [OpenAPI document](${site}/openapi.yaml): every operation, with examples; [the same as JSON](${site}/openapi.json) for code generators
- [Search](${site}/api/agents?q=browser): agents and skills, with filters and order
- [How scores are made](${site}/method): signals, weights, formula, limits

## Pages

- [Directory](${site}/): search and list
- ${site}/a/{owner}/{repo}: an agent; ${site}/s/{owner}/{repo}: a skill; ${site}/c/{handle}: a creator
- ${site}/badge/{type}/{id}.svg: a badge; .json for the same as data
`;
}

/** A sitemap of sitemaps: one for each stretch of subjects. */
async function sitemapIndex(database: Database, site: string): Promise<string> {
  const [row] = await database.query<{ count: number }>('SELECT count(*)::int AS count FROM subject');
  const files = Math.max(1, Math.ceil((row?.count ?? 0) / ADDRESSES_PER_FILE));
  const entries = Array.from(
    { length: files },
    (_, index) => `<sitemap><loc>${escapeXml(`${site}/sitemap.xml?page=${index + 1}`)}</loc></sitemap>`,
  );
  return document('sitemapindex', entries);
}

async function sitemap(database: Database, naming: Naming, site: string, page: unknown): Promise<string> {
  const number = Number(page);
  if (!Number.isInteger(number) || number < 1 || number > 1_000_000) {
    throw new DomainError('not_found', 'There is no such sitemap. They are listed at /sitemap.xml.');
  }
  const subjects = await database.query<{ id: string; type: SubjectType; changed: string | null }>(
    `SELECT id, type, utc_text(current_version) AS changed FROM subject s
     WHERE NOT EXISTS (SELECT FROM creator c WHERE c.subject_id = s.id AND c.merged_into IS NOT NULL)
     ORDER BY id LIMIT ${ADDRESSES_PER_FILE} OFFSET $1`,
    [(number - 1) * ADDRESSES_PER_FILE],
  );
  const paths = await loadPublicPaths(database, subjects, naming);
  const own = number === 1 ? ['/', '/method', '/docs'].map((path) => entry(`${site}${path}`, null)) : [];
  const others = subjects.flatMap(({ id, changed }) => {
    const path = paths.get(id);
    return path === undefined ? [] : [entry(`${site}${path}`, changed)];
  });
  return document('urlset', [...own, ...others]);
}

function entry(address: string, changed: string | null): string {
  const day = changed === null ? '' : `<lastmod>${changed.slice(0, 10)}</lastmod>`;
  return `<url><loc>${escapeXml(address)}</loc>${day}</url>`;
}

function document(root: 'sitemapindex' | 'urlset', entries: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</${root}>\n`;
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;');
}
