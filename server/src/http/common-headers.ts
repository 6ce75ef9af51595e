import type { FastifyInstance } from 'fastify';

/** The headers of every answer, whatever it is: its request id, and what bars a browser from guessing types and plain http. */
export function setCommonHeaders(app: FastifyInstance, site: URL): void {
  const headers = {
    'X-Content-Type-Options': 'nosniff',
    // A browser remembers this for a year: only where the site is served over https at all.
    ...(site.protocol === 'https:' && { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }),
  };
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id).headers(headers);
    done();
  });
}
