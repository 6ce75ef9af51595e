import type { FastifyInstance } from 'fastify';
import { sendHtml } from '../../ui/send-html.ts';
import { type PageParts, PUBLIC } from '../frame/page-parts.ts';
import { methodDocument } from './method-document.tsx';

/** How scores are made: the same for everybody, so it is drawn once. */
export function registerMethod(pages: FastifyInstance, { naming }: PageParts): void {
  const document = Buffer.from(methodDocument(naming));
  pages.get('/method', PUBLIC, async (_request, reply) => sendHtml(reply, document));
}
