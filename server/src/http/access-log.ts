import type { FastifyInstance } from 'fastify';

/** One line per request, of these fields only: no header, no body, no address of a person, no secret. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
        ...(request.keyId && { keyId: request.keyId }),
        ...(request.ledgerId && { ledgerId: request.ledgerId }),
        ...(request.errorCode && { errorCode: request.errorCode }),
      },
      'request',
    );
  });
}
