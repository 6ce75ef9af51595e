import type { FastifyInstance } from 'fastify';
import type { ShapedRequest } from '../../http/contract/validation.ts';
import { sendHtml } from '../../ui/send-html.ts';
import { type PageParts, PUBLIC } from '../frame/page-parts.ts';
import { readOffset } from '../list/page-query.ts';
import { creatorDocument } from './creator-document.tsx';
import { loadCreatorPage } from './load-creator-page.ts';

/** Creators, with what they made. */
export function registerCreators(pages: FastifyInstance, { naming }: PageParts): void {
  pages.get<ShapedRequest & { Params: { handle: string } }>('/c/:handle', PUBLIC, async (request, reply) => {
    const offset = readOffset(request.query);
    const page = await loadCreatorPage(request.reads, request.params.handle, naming, offset);
    return sendHtml(reply, creatorDocument(page, naming));
  });
}
