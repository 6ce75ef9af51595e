import type { FastifyInstance } from 'fastify';
import type { ShapedRequest } from '../../http/contract/validation.ts';
import { sendHtml } from '../../ui/send-html.ts';
import { type PageParts, PUBLIC } from '../frame/page-parts.ts';
import { asksForList, LIST_PATH } from '../list/page-query.ts';
import { homeDocument } from './home-document.tsx';
import { loadHomePage } from './load-home-page.ts';

/** What this is, and the ways into it. The list had this address once: its old links lead on to where it is. */
export function registerHome(pages: FastifyInstance, { naming }: PageParts): void {
  pages.get<ShapedRequest>('/', PUBLIC, async (request, reply) => {
    if (asksForList(request.query)) {
      return reply.redirect(`${LIST_PATH}${request.url.slice(request.url.indexOf('?'))}`, 301);
    }
    const page = await loadHomePage(request.reads, naming);
    return sendHtml(reply, homeDocument(page, naming));
  });
}
