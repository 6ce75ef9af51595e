import type { FastifyInstance } from 'fastify';
import { loadListingFlags } from '../../../catalog/relations/listing-flags.ts';
import { findByAddress } from '../../../catalog/subjects/find-by-address.ts';
import { loadPublicPaths } from '../../../catalog/subjects/load-public-paths.ts';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { ResolvedSubject } from '../../../catalog/subjects/resolve-subject.ts';
import { countSearch, countSelected } from '../../../directory/lists/count-by-filter.ts';
import { countTags } from '../../../directory/lists/count-values.ts';
import { linkAgents } from '../../../directory/lists/link-agents.ts';
import { listAgents } from '../../../directory/lists/list-agents.ts';
import { relaxQuery } from '../../../directory/lists/relax-query.ts';
import { findOtherResults, NO_OTHER_RESULTS } from '../../../directory/names/find-other-results.ts';
import type { Connection } from '../../../platform/database/connect.ts';
import type { ShapedRequest } from '../../../platform/http/contract/validation.ts';
import { sendHtml } from '../../components/send-html.ts';
import { type PageDependencies, PUBLIC_ROUTE } from '../frame/page-dependencies.ts';
import { searchWordsOf } from './address-note.tsx';
import { listDocument } from './list.page.tsx';
import { LIST_PATH, parseListQuery } from './page-links.tsx';

const MAX_TAGS = 12;

/** Registers the list: search, filters, pages. An address in the search box redirects to its subject. */
export function registerListPage(
  pages: FastifyInstance,
  { publicUrls, asked, synonyms }: PageDependencies,
): void {
  pages.get<ShapedRequest>(LIST_PATH, PUBLIC_ROUTE, async (request, reply) => {
    const { reads } = request;
    const list = parseListQuery(request.query);
    const addressed = await findByAddress(reads, untruncatedText(request.query.q), publicUrls);
    const [only, ...others] = addressed?.subjects ?? [];
    if (only && others.length === 0) return reply.redirect(await newestPath(reads, only, publicUrls), 303);
    const q = addressed ? searchWordsOf(addressed.address) : list.q;
    const widened = q === null ? undefined : await relaxQuery(reads, q, { asked, synonyms });
    const query = widened?.query ?? null;
    const untagged = widened?.counts ?? (await countSearch(reads, null));
    const counts = list.tag === null ? untagged : await countSearch(reads, query, asked, list.tag);
    const tags = await countTags(reads, { ...list, q: query }, untagged, MAX_TAGS, asked);
    const found = await listAgents(reads, {
      ...list,
      q,
      counts,
      ...(widened && { relaxed: widened }),
    });
    const linked = await linkAgents(reads, [...found.agents, ...found.nearest], publicUrls);
    const page = {
      ...found,
      agents: linked.slice(0, found.agents.length),
      nearest: linked.slice(found.agents.length),
    };
    // The first page of a search also shows creators and artifacts of that name.
    const beside =
      q === null || list.offset > 0 ? NO_OTHER_RESULTS : await findOtherResults(reads, q, publicUrls);
    const shown = {
      facets: counts.found,
      isLowerBound: found.totalIsLowerBound,
      tag: { any: countSelected(untagged.found, list), choices: tags },
    };
    const said = { addressed, didYouMean: widened?.didYouMean ?? null, others: beside };
    return sendHtml(reply, listDocument(list, page, shown, publicUrls, said));
  });
}

/**
 * Returns the path of the listing under its newest name, if the address has an old one, otherwise the subject's own
 * path. The page of the newest name explains the rename.
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

/** Returns the untruncated text, because a truncated address could name another subject. */
function untruncatedText(q: unknown): string {
  return typeof q === 'string' ? q : '';
}
