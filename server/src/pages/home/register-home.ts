import type { FastifyInstance } from 'fastify';
import { countByFilter, countChosen } from '../../directory/lists/count-by-filter.ts';
import { linkAgents } from '../../directory/lists/link-agents.ts';
import { listAgents } from '../../directory/lists/list-agents.ts';
import type { ShapedRequest } from '../../http/contract/validation.ts';
import { sendHtml } from '../../ui/send-html.ts';
import { type PageParts, PUBLIC } from '../frame/page-parts.ts';
import { listDocument } from './list-document.tsx';
import { readPageQuery } from './page-query.ts';

/** The directory: search, filters, one page of entries. */
export function registerHome(pages: FastifyInstance, { naming }: PageParts): void {
  pages.get<ShapedRequest>('/', PUBLIC, async (request, reply) => {
    const { reads } = request;
    const list = readPageQuery(request.query);
    const facets = await countByFilter(reads, list.q);
    const total = countChosen(facets, list);
    const { agents } = await listAgents(reads, { ...list, total });
    const linked = await linkAgents(reads, agents, naming);
    return sendHtml(reply, listDocument(list, linked, total, facets, naming));
  });
}
