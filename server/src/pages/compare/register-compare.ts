import type { FastifyInstance } from 'fastify';
import type { ShapedRequest } from '../../http/contract/validation.ts';
import { sendHtml } from '../../ui/send-html.ts';
import { OF_ONE, type PageParts } from '../frame/page-parts.ts';
import { compareDocument } from './compare-document.tsx';
import { readNames } from './compare-query.ts';
import { loadComparePage } from './load-compare-page.ts';

/** `/compare?a=…&b=…`: agents and skills beside each other, by any names that lead to one. */
export function registerCompare(pages: FastifyInstance, { naming }: PageParts): void {
  pages.get<ShapedRequest>('/compare', OF_ONE, async (request, reply) => {
    const page = await loadComparePage(request.reads, readNames(request.query), naming);
    return sendHtml(reply, compareDocument(page, naming));
  });
}
