import type { FastifyInstance } from 'fastify';
import type { Tracer } from './open-tracer.ts';

/** A span for each request, under the caller's where it names one. Its address is told as the route's template alone. */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { method } = request;
    const route = request.routeOptions.url ?? 'none';
    const span = tracer.start(`${method} ${route}`, {
      kind: 'SERVER',
      attributes: { 'http.request.method': method, 'http.route': route },
      parent: tracer.incoming(request.headers),
    });
    // However it ends, also where its client has gone.
    reply.raw.once('close', () => {
      span.setAttribute('http.response.status_code', reply.statusCode);
      if (request.errorCode) span.setAttribute('error.type', request.errorCode);
      if (request.ledgerId) span.setAttribute('trust_directory.ledger_id', request.ledgerId);
      tracer.end(span, reply.statusCode >= 500);
    });
    // The framework keeps it over the body, which comes by events of the connection.
    tracer.within(span, done);
  });
}
