import type { FastifyInstance } from 'fastify';
import { suggest } from '../../../directory/names/suggest.ts';
import type { ShapedRequest } from '../../../platform/http/contract/validation.ts';
import { type PageDependencies, PUBLIC_ROUTE } from '../frame/page-dependencies.ts';

/** Maximum characters of a prefix; longer texts begin no name. */
const MAX_PREFIX_LENGTH = 100;

/** Registers the suggestions of the pages' search fields. The route is not part of the API contract and may change. */
export function registerSuggestions(pages: FastifyInstance, { publicUrls }: PageDependencies): void {
  pages.get<ShapedRequest>('/suggest', PUBLIC_ROUTE, async (request, reply) => {
    const { q } = request.query;
    const text = typeof q === 'string' ? q.slice(0, MAX_PREFIX_LENGTH) : '';
    const suggestions = await suggest(request.reads, text, publicUrls);
    // The same short prefixes are requested often, and names rarely change.
    return reply
      .header('Cache-Control', 'public, max-age=60')
      .header('X-Robots-Tag', 'noindex')
      .send({ suggestions });
  });
}
