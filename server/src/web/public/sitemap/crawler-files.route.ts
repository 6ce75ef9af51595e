import type { FastifyInstance } from 'fastify';
import { loadPublicPaths } from '../../../catalog/subjects/load-public-paths.ts';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { Connection } from '../../../platform/database/connect.ts';
import { DomainError } from '../../../platform/errors/domain-error.ts';
import { type PageDependencies, PUBLIC_ROUTE, siteOrigin } from '../frame/page-dependencies.ts';
import { findRangeEnds, listRange } from './sitemap.queries.ts';

/** Number of subjects in a sitemap. Search engines accept far more; few rows keep each request fast. */
const RANGE_SIZE = 250;

/** Id that sorts before all ids of subjects. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Sitemaps of all subjects, as XML. */
interface Sitemap {
  /** Returns the sitemap index: one sitemap for each range of subjects. */
  index(): Promise<string>;
  /** Returns the sitemap with this number, counted from 1. Throws not_found if there is no such sitemap. */
  page(number: unknown): Promise<string>;
}

/**
 * Creates sitemaps, each for a range of ids. New ids sort last, so the end of a complete range never changes and is
 * cached. A request for a sitemap reads only the subjects of its range.
 */
export function createSitemap(database: Connection, publicUrls: PublicUrls, rangeSize = RANGE_SIZE): Sitemap {
  const site = siteOrigin(publicUrls);
  const ends: string[] = [];
  let reading: Promise<void> | null = null;

  /** Reads the range ends after the last known one, and caches them. Concurrent callers share one query. */
  async function readEnds(): Promise<void> {
    reading ??= findRangeEnds(database, ends.at(-1) ?? FIRST_ID, rangeSize)
      .then((found) => void ends.push(...found))
      .finally(() => {
        reading = null;
      });
    await reading;
  }

  return {
    async index() {
      await readEnds();
      const entries = Array.from(
        { length: ends.length + 1 },
        (_, index) => `<sitemap><loc>${escapeXml(`${site}/sitemap.xml?page=${index + 1}`)}</loc></sitemap>`,
      );
      return document('sitemapindex', entries);
    },
    async page(asked) {
      const number = Number(asked);
      if (number > ends.length) await readEnds();
      if (!Number.isInteger(number) || number < 1 || number > ends.length + 1) {
        throw new DomainError('not_found', 'There is no such sitemap. They are listed at /sitemap.xml.');
      }
      const subjects = await listRange(database, ends[number - 2] ?? FIRST_ID, ends[number - 1] ?? null);
      const paths = await loadPublicPaths(database, subjects, publicUrls);
      const own =
        number === 1
          ? ['/', '/agents', '/method', '/docs', '/pricing'].map((path) => entry(`${site}${path}`, null))
          : [];
      const others = subjects.flatMap(({ id, changed }) => {
        const path = paths.get(id);
        return path === undefined ? [] : [entry(`${site}${path}`, changed)];
      });
      return document('urlset', [...own, ...others]);
    },
  };
}

function entry(address: string, changed: string | null): string {
  const day = changed === null ? '' : `<lastmod>${changed}</lastmod>`;
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

/** Registers the files that crawlers read: robots.txt, sitemaps and llms.txt. */
export function registerCrawlerFiles(
  pages: FastifyInstance,
  { database, publicUrls }: PageDependencies,
): void {
  const site = siteOrigin(publicUrls);
  pages.get('/robots.txt', PUBLIC_ROUTE, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(robotsText(site)),
  );
  pages.get('/llms.txt', PUBLIC_ROUTE, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(llmsText(site)),
  );
  // Reads without `request.reads`, so that the response cache stores no sitemaps: a crawler requests each one rarely.
  const sitemap = createSitemap(database, publicUrls);
  pages.get<{ Querystring: { page?: unknown } }>('/sitemap.xml', PUBLIC_ROUTE, async (request, reply) => {
    const { page } = request.query;
    const xml = page === undefined ? await sitemap.index() : await sitemap.page(page);
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

> A directory of agents and skills. Each entry has a trust score (how much the evidence supports it) and a confidence
> score (how much evidence there is), with every contribution, its creator and its lineage.

Reading needs no key. Scores of different subject types are separate records; a score is not an endorsement.

## API

- [Documentation](${site}/docs): for people, a guide, a page for every endpoint, and ${site}/docs/errors; [prices](${site}/pricing)
- [OpenAPI document](${site}/openapi.yaml): every operation, with examples; [the same as JSON](${site}/openapi.json) for code generators
- [Search](${site}/api/agents?q=browser): agents and skills, with filters and order
- [How scores are made](${site}/method): signals, weights, formula, limits

## Pages

- [Home](${site}/); [list](${site}/agents): search, filters and order, such as ${site}/agents?q=browser&type=agent
- ${site}/a/{owner}/{repo}: an agent; ${site}/s/{owner}/{repo}: a skill; ${site}/c/{handle}: a creator
- ${site}/badge/{type}/{id}.svg: a badge; .json for the same as data
`;
}
