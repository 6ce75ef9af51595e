import type { FastifyInstance } from 'fastify';
import { getIdentity } from '../../directory/get-identity.ts';
import type { ShapedRequest } from '../../http/contract/validation.ts';
import { sendHtml } from '../../ui/send-html.ts';
import { type PageParts, PUBLIC } from '../frame/page-parts.ts';
import { readOffset } from '../list/page-query.ts';
import { loadRelationsPage, readAskedList } from '../relations/load-relations-page.ts';
import { relationsDocument } from '../relations/relations-document.tsx';
import { creatorDocument } from './creator-document.tsx';
import { loadCreatorPage } from './load-creator-page.ts';

/** Creators, with what they made. */
export function registerCreators(pages: FastifyInstance, { naming }: PageParts): void {
  pages.get<ShapedRequest & { Params: { handle: string } }>('/c/:handle', PUBLIC, async (request, reply) => {
    const list = readAskedList(request.query);
    if (list !== null) {
      const { reads } = request;
      const identity = await getIdentity(reads, request.params.handle, naming);
      const name = identity.displayName ?? identity.handle;
      const subject = { ...identity, name, type: 'creator', agentId: null } as const;
      return sendHtml(
        reply,
        relationsDocument(await loadRelationsPage(reads, subject, list, naming), naming),
      );
    }
    const offset = readOffset(request.query);
    const page = await loadCreatorPage(request.reads, request.params.handle, naming, offset);
    return sendHtml(reply, creatorDocument(page, naming));
  });
}
