import type { FastifyInstance } from 'fastify';
import type { Connection } from '../../database/connect.ts';
import { countChosen, countSearch } from '../../directory/lists/count-by-filter.ts';
import { countTags } from '../../directory/lists/count-tags.ts';
import { linkAgents } from '../../directory/lists/link-agents.ts';
import { listAgents } from '../../directory/lists/list-agents.ts';
import { widenSearch } from '../../directory/lists/widen-search.ts';
import { findOthers, NO_OTHERS } from '../../directory/names/find-others.ts';
import type { ShapedRequest } from '../../http/contract/validation.ts';
import { loadListingMarks } from '../../registry/relations/listing-marks.ts';
import { findAddressed } from '../../subjects/find-addressed.ts';
import { loadPublicPaths } from '../../subjects/load-public-paths.ts';
import type { Naming } from '../../subjects/naming.ts';
import type { ResolvedSubject } from '../../subjects/resolve-subject.ts';
import { sendHtml } from '../../ui/send-html.ts';
import { type PageParts, PUBLIC } from '../frame/page-parts.ts';
import { wordsOf } from './address-note.tsx';
import { listDocument } from './list-document.tsx';
import { LIST_PATH, readPageQuery } from './page-query.ts';

const MOST_TAGS = 12;

/** The directory: search, or the way to whom an address in the search box names, filters, one page of entries. */
export function registerList(pages: FastifyInstance, { naming, asked, synonyms }: PageParts): void {
  pages.get<ShapedRequest>(LIST_PATH, PUBLIC, async (request, reply) => {
    const { reads } = request;
    const list = readPageQuery(request.query);
    const addressed = await findAddressed(reads, wholeText(request.query.q), naming);
    const [only, ...others] = addressed?.subjects ?? [];
    if (only && others.length === 0) return reply.redirect(await newestPath(reads, only, naming), 303);
    const q = addressed ? wordsOf(addressed.address) : list.q;
    const widened = q === null ? undefined : await widenSearch(reads, q, { asked, synonyms });
    const query = widened?.query ?? null;
    const untagged = widened?.counts ?? (await countSearch(reads, null));
    const counts = list.tag === null ? untagged : await countSearch(reads, query, asked, list.tag);
    const tags = await countTags(reads, { ...list, q: query }, untagged, MOST_TAGS, asked);
    const { agents, total } = await listAgents(reads, { ...list, q, counts, ...(widened && { widened }) });
    const linked = await linkAgents(reads, agents, naming);
    // Beside the first page of a search: what else has that name.
    const beside = q === null || list.offset > 0 ? NO_OTHERS : await findOthers(reads, q, naming);
    const shown = { facets: counts.found, tags, untagged: countChosen(untagged.found, list) };
    const said = { addressed, didYouMean: widened?.didYouMean ?? null, others: beside };
    return sendHtml(reply, listDocument(list, linked, total, shown, naming, said));
  });
}

/** The page of whom an address names: under the newest name, where what it names is an old one. That page says so. */
async function newestPath(
  reads: Connection,
  { id, publicPath }: ResolvedSubject,
  naming: Naming,
): Promise<string> {
  const newer = (await loadListingMarks(reads, [id])).get(id)?.newer;
  const paths = newer ? await loadPublicPaths(reads, [newer], naming) : null;
  return paths?.get(newer?.id ?? '') ?? publicPath;
}

/** An address counts whole: cut at the length of a search it could be another's. */
function wholeText(q: unknown): string {
  return typeof q === 'string' ? q : '';
}
