import type { FastifyInstance } from 'fastify';
import { suggest } from '../../directory/names/suggest.ts';
import type { ShapedRequest } from '../../http/contract/validation.ts';
import { type PageParts, PUBLIC } from '../frame/page-parts.ts';

/** A text that is longer is no beginning of a name. */
const CHARACTERS = 100;

/**
 * What the search fields of these pages suggest while somebody types. It belongs to the pages: it is no part of the contract and
 * may change with them.
 */
export function registerSuggest(pages: FastifyInstance, { naming }: PageParts): void {
  pages.get<ShapedRequest>('/suggest', PUBLIC, async (request, reply) => {
    const { q } = request.query;
    const text = typeof q === 'string' ? q.slice(0, CHARACTERS) : '';
    const suggestions = await suggest(request.reads, text, naming);
    // The same few letters come again and again; names change seldom.
    return reply
      .header('Cache-Control', 'public, max-age=60')
      .header('X-Robots-Tag', 'noindex')
      .send({ suggestions });
  });
}
