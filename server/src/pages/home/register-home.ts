import type { FastifyInstance } from 'fastify';
import { countSearch } from '../../directory/lists/count-by-filter.ts';
import { linkAgents } from '../../directory/lists/link-agents.ts';
import { listAgents } from '../../directory/lists/list-agents.ts';
import type { ShapedRequest } from '../../http/contract/validation.ts';
import { sendHtml } from '../../ui/send-html.ts';
import { type PageParts, PUBLIC } from '../frame/page-parts.ts';
import { listDocument } from './list-document.tsx';
import { readPageQuery } from './page-query.ts';

/** The directory: search, filters, one page of entries. */
export function registerHome(pages: FastifyInstance, { naming, asked }: PageParts): void {
  pages.get<ShapedRequest>('/', PUBLIC, async (request, reply) => {
    const { reads } = request;
    const list = readPageQuery(request.query);
    const counts = await countSearch(reads, list.q, asked);
    const { agents, total } = await listAgents(reads, { ...list, counts });
    const linked = await linkAgents(reads, agents, naming);
    return sendHtml(reply, listDocument(list, linked, total, counts.found, naming));
  });
}
