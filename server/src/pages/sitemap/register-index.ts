import type { FastifyInstance } from 'fastify';
import { siteOf } from '../frame/absolute-address.ts';
import { type PageParts, PUBLIC } from '../frame/page-parts.ts';
import { createSitemap } from './sitemap.ts';

/** What machines read to find the pages: robots.txt, sitemaps, llms.txt. */
export function registerIndex(pages: FastifyInstance, { database, naming }: PageParts): void {
  const site = siteOf(naming);
  pages.get('/robots.txt', PUBLIC, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(robotsText(site)),
  );
  pages.get('/llms.txt', PUBLIC, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(llmsText(site)),
  );
  const sitemap = createSitemap(database, naming);
  pages.get<{ Querystring: { page?: unknown } }>('/sitemap.xml', PUBLIC, async (request, reply) => {
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
