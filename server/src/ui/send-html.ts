import type { FastifyReply } from 'fastify';

/** The media type of every page. */
export const HTML = 'text/html; charset=utf-8';

/** Sends a document. */
export function sendHtml(reply: FastifyReply, document: string | Buffer): FastifyReply {
  return reply.type(HTML).send(document);
}
