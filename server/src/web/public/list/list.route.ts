import type { FastifyInstance } from 'fastify';
import { loadListingFlags } from '../../../catalog/relations/listing-flags.ts';
import { findByAddress } from '../../../catalog/subjects/find-by-address.ts';
import { loadPublicPaths } from '../../../catalog/subjects/load-public-paths.ts';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { ResolvedSubject } from '../../../catalog/subjects/resolve-subject.ts';
import { countSelected } from '../../../directory/lists/count-by-filter.ts';
import { FILTERS } from '../../../directory/lists/filters.ts';
import { linkAgents } from '../../../directory/lists/link-agents.ts';
import { listWithFacets } from '../../../directory/lists/list-with-facets.ts';
import {
  findOtherResults,
  NO_OTHER_RESULTS,
  type Suggestion,
  suggest,
} from '../../../directory/names/find-names.ts';
import { findInside } from '../../../directory/search/explain-match.ts';
import type { Connection } from '../../../platform/database/connect.ts';
import type { ShapedRequest } from '../../../platform/http/contract/validation.ts';
import { verdictLabel } from '../../components/score-figures.tsx';
import { sendHtml } from '../../components/send-html.ts';
import { type PageDependencies, PUBLIC_ROUTE } from '../frame/page-dependencies.ts';
import { listDocument } from './list.page.tsx';
import { starsText } from './match-reasons.tsx';
import { LIST_PATH, parseListQuery } from './page-links.tsx';
import { searchWordsOf } from './search-note.tsx';

const MAX_TAGS = 12;

/** Registers the list with search, filters and pages. A search for one subject's address redirects to that subject. */
export function registerListPage(pages: FastifyInstance, { publicUrls, synonyms }: PageDependencies): void {
  pages.get<ShapedRequest>(LIST_PATH, PUBLIC_ROUTE, async (request, reply) => {
    const { reads } = request;
    const list = parseListQuery(request.query);
    const addressed = await findByAddress(reads, untruncatedText(request.query.q), publicUrls);
    const [only, ...others] = addressed?.subjects ?? [];
    if (only && others.length === 0) return reply.redirect(await newestPath(reads, only, publicUrls), 303);
    const q = addressed ? searchWordsOf(addressed.address) : list.q;
    const input = { ...list, q, synonyms };
    const offered = { most: MAX_TAGS, offered: ['tag', 'verdict'] } as const;
    const { facets, counts, without, ...found } = await listWithFacets(reads, input, ['tag'], offered);
    const linked = await linkAgents(reads, [...found.agents, ...found.nearest], publicUrls);
    const page = {
      ...found,
      inside: await findInside(reads, found.agents, found.terms),
      agents: linked.slice(0, found.agents.length),
      nearest: linked.slice(found.agents.length),
    };
    // The first page of a search also shows creators and artifacts whose names match the search text.
    const otherResults =
      q === null || list.offset > 0 ? NO_OTHER_RESULTS : await findOtherResults(reads, q, publicUrls);
    const shown = {
      facets: counts.found,
      isLowerBound: counts.isLowerBound,
      tag: { any: countSelected(without.tag.found, list), choices: facets.tag ?? [] },
      // Offer verdicts without counts: counting would read each entry's row of `listing_rank`, which has the verdict.
      verdict: {
        any: countSelected(without.verdict.found, list),
        choices: FILTERS.verdict.values.map((value) => ({ value, count: null })),
      },
    };
    const notes = { addressed, didYouMean: found.didYouMean, others: otherResults };
    return sendHtml(reply, listDocument(list, page, shown, publicUrls, notes));
  });
}

/**
 * Returns the path of a subject's page. For an old name of a listing, returns the path under the newest name; the
 * page there explains the rename.
 */
async function newestPath(
  reads: Connection,
  { id, publicPath }: ResolvedSubject,
  publicUrls: PublicUrls,
): Promise<string> {
  const newer = (await loadListingFlags(reads, [id])).get(id)?.newer;
  const paths = newer ? await loadPublicPaths(reads, [newer], publicUrls) : null;
  return paths?.get(newer?.id ?? '') ?? publicPath;
}

/** Returns the search text untruncated, because a truncated address could name another subject. */
function untruncatedText(q: unknown): string {
  return typeof q === 'string' ? q : '';
}

/** Maximum characters of the typed text that are searched as a prefix of names; the rest is ignored. */
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

/** Converts a suggestion to what the browser shows: its kind, and its stars and verdict as texts; null if not known. */
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
