import { hash as digest } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/** Whether an If-None-Match header names this tag, by weak comparison (RFC 9110, 13.1.2). */
export function matchesTag(header: string, tag: string): boolean {
  const opaque = (text: string) => text.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((each) => opaque(each) === opaque(tag));
}

/** The weak tag of an answer's content. */
function hashContent(content: string | Buffer): string {
  return `W/"${digest('sha256', content, 'base64url').slice(0, 27)}"`;
}

/**
 * Gives every successful public GET a weak ETag and answers 304 where the client has it. Only GET: the plugin made for
 * this tags every answer and would turn the answer of a POST into a 304. A Buffer is hashed once, however often it is
 * sent: what never changes (the contract, the assets) is kept as one.
 */
export function useConditionalGet(
  app: FastifyInstance,
  publicMaxAgeSeconds: number,
  hash: (content: string | Buffer) => string = hashContent,
): void {
  const tags = new WeakMap<Buffer, string>();
  const tagOf = (content: string | Buffer): string => {
    if (typeof content === 'string') return hash(content);
    const tag = tags.get(content) ?? hash(content);
    tags.set(content, tag);
    return tag;
  };
  const fresh = publicMaxAgeSeconds > 0 ? `public, max-age=${publicMaxAgeSeconds}` : 'public, no-cache';
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode !== 200 || !request.routeOptions.config.public) {
      if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-store');
      return done();
    }
    if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', fresh);
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done();
    const tag = tagOf(payload);
    reply.header('ETag', tag);
    const known = request.headers['if-none-match'];
    if (known === undefined || !matchesTag(known, tag)) return done();
    reply.code(304).removeHeader('Content-Type').removeHeader('Content-Length');
    done(null, null);
  });
}
