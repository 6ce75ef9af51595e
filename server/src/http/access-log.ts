import type { FastifyInstance } from 'fastify';

/** One line per request, of these fields only: no header, no body, no address of a person, no secret. */
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
