import type { FastifyInstance } from 'fastify';

/**
 * Sets the headers of every response: the request id, no content sniffing, and Strict-Transport-Security if the site
 * uses https.
 */
export function setCommonHeaders(app: FastifyInstance, site: URL): void {
  const headers = {
    'X-Content-Type-Options': 'nosniff',
    // Browsers remember this header for a year, so it is sent only if the site is served over https.
    ...(site.protocol === 'https:' && { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }),
  };
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id).headers(headers);
    done();
  });
}

/** Logs one line per request with these fields only: no header, body, client address or secret. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { keyId, ledgerId, errorCode } = request;
    const fields: Record<string, string | number | null> = {
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
    };
    if (keyId) fields.keyId = keyId;
    if (ledgerId) fields.ledgerId = ledgerId;
    if (errorCode) fields.errorCode = errorCode;
    request.log.info(fields, 'request');
    done();
  });
}
