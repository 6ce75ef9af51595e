import type { FastifyInstance } from 'fastify';

/** No script, no foreign origin, no frame: whatever a text on a page holds, the browser runs and loads nothing of it. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The security headers of every page. */
export const PAGE_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
} as const;

/** What is shown to one person: for no other site, store or index. */
const PRIVATE = { 'Referrer-Policy': 'same-origin', 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };

/**
 * Puts the security headers of pages on every answer of this part of the server, unless the answer has its own. At the
 * very end: a request may be refused before this part has seen it.
 */
export function securePages(app: FastifyInstance, options: { isPrivate?: boolean } = {}): void {
  const headers = Object.entries({ ...PAGE_HEADERS, ...(options.isPrivate && PRIVATE) });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    for (const [name, value] of headers) if (!reply.hasHeader(name)) reply.header(name, value);
    done();
  });
}
