import type { FastifyInstance } from 'fastify';
import { countChosen, countSearch } from '../../directory/lists/count-by-filter.ts';
import { countTags } from '../../directory/lists/count-tags.ts';
import { linkAgents } from '../../directory/lists/link-agents.ts';
import { listAgents } from '../../directory/lists/list-agents.ts';
import type { ShapedRequest } from '../../http/contract/validation.ts';
import { findAddressed } from '../../subjects/find-addressed.ts';
import { sendHtml } from '../../ui/send-html.ts';
import { type PageParts, PUBLIC } from '../frame/page-parts.ts';
import { wordsOf } from './address-note.tsx';
import { listDocument } from './list-document.tsx';
import { LIST_PATH, readPageQuery } from './page-query.ts';

const MOST_TAGS = 12;

/** The directory: search, or the way to whom an address in the search box names, filters, one page of entries. */
export function registerList(pages: FastifyInstance, { naming, asked }: PageParts): void {
  pages.get<ShapedRequest>(LIST_PATH, PUBLIC, async (request, reply) => {
    const { reads } = request;
    const list = readPageQuery(request.query);
    const addressed = await findAddressed(reads, wholeText(request.query.q), naming);
    const [only, ...others] = addressed?.subjects ?? [];
    if (only && others.length === 0) return reply.redirect(only.publicPath, 303);
    const q = addressed ? wordsOf(addressed.address) : list.q;
    const counts = await countSearch(reads, q, asked, list.tag);
    const untagged = list.tag === null ? counts : await countSearch(reads, q, asked);
    const tags = await countTags(reads, { ...list, q }, untagged, MOST_TAGS, asked);
    const { agents, total } = await listAgents(reads, { ...list, q, counts });
    const linked = await linkAgents(reads, agents, naming);
    const shown = { facets: counts.found, tags, untagged: countChosen(untagged.found, list) };
    return sendHtml(reply, listDocument(list, linked, total, shown, naming, addressed));
  });
}

/** An address counts whole: cut at the length of a search it could be another's. */
function wholeText(q: unknown): string {
  return typeof q === 'string' ? q : '';
}
