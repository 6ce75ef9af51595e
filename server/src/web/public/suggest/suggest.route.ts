import type { FastifyInstance } from 'fastify';
import { type Suggestion, suggest } from '../../../directory/names/find-names.ts';
import type { ShapedRequest } from '../../../platform/http/contract/validation.ts';
import { verdictLabel } from '../../components/verdict-mark.tsx';
import { type PageDependencies, PUBLIC_ROUTE } from '../frame/page-dependencies.ts';
import { starsText } from '../list/match-reasons.tsx';

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
      .send({ suggestions: suggestions.map(toShown) });
  });
}

/** Returns a suggestion as it is shown: what it is, then its stars and its verdict in words, where known. */
function toShown({ group, text, about, path, type, stars, verdict }: Suggestion) {
  return {
    text,
    kind: group === 'listing' ? type : group === 'spelling' ? 'corrected spelling' : group,
    about,
    stars: stars === null ? null : starsText(stars),
    verdict: verdict === null ? null : { state: verdict, text: verdictLabel(verdict) },
    path,
  };
}
