import type { FastifyReply } from 'fastify';

/** Sends a document. */
export function sendHtml(reply: FastifyReply, document: string | Buffer): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(document);
}
