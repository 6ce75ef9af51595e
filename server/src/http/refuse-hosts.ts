import type { FastifyInstance } from 'fastify';
import { DomainError } from '../domain-error.ts';

/**
 * Refuses a request with several Host lines (RFC 9112, 3.2): a proxy and the server might each believe another one. Node takes the
 * first. Register before any hook that answers.
 */
export function refuseSeveralHosts(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!hasSeveralHosts(request.raw.rawHeaders)) return done();
    // The hooks that give answers their headers come later, and what follows on this connection may be another's.
    reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff', Connection: 'close' });
    return done(new DomainError('invalid_request', 'The request has more than one Host header. Send one.'));
  });
}

/** Looks at names and values in turn, as they came over the wire. */
function hasSeveralHosts(lines: readonly string[]): boolean {
  let hosts = 0;
  for (let i = 0; i < lines.length; i += 2) {
    const name = lines[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
