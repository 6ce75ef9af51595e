import { hash as digest } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/** Returns true if an If-None-Match header contains this tag, by weak comparison (RFC 9110, 13.1.2). */
export function matchesTag(header: string, tag: string): boolean {
  const opaque = (text: string) => text.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((each) => opaque(each) === opaque(tag));
}

/** Computes the weak ETag of a response's content. */
function hashContent(content: string | Buffer): string {
  return `W/"${digest('sha256', content, 'base64url').slice(0, 27)}"`;
}

/**
 * Adds a weak ETag to public responses to GET and HEAD with the status 200, except streams, and answers 304 if the
 * client has it. Sets Cache-Control on every response that has none: `no-store` unless it is such a public one.
 * Fastify's etag plugin is not used because it tags all methods and would turn the response of a POST into a 304. A
 * Buffer is hashed once, so constant content (the contract, assets) should be one Buffer. Without the cache of hashes,
 * `conditional-get.test.ts` fails.
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
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (reply.statusCode !== 200 || !isRead || !request.routeOptions.config.public) {
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
