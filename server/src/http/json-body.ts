import type { FastifyInstance } from 'fastify';
import { DomainError } from '../domain-error.ts';

export const BODY_LIMIT_BYTES = 16 * 1024;

/**
 * Bodies are JSON in UTF-8 and nothing else: any other content type would reach a handler unvalidated. Bytes that are
 * no UTF-8 are refused rather than replaced, so that two different bodies never become the same.
 */
export function acceptJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    let text: string;
    try {
      text = decoder.decode(body);
    } catch {
      return done(new DomainError('invalid_json', 'The body is not UTF-8.'));
    }
    return parse(request, text, done);
  });
}

/**
 * A body where the contract has none is refused for that, unread; one that says it is too large for its size, whatever
 * its type.
 */
export function refuseUnusableBodies(app: FastifyInstance): void {
  app.addHook('onRequest', ({ headers, routeOptions }, _reply, done) => {
    const size = Number(headers['content-length'] ?? 0);
    if (size === 0 && headers['transfer-encoding'] === undefined) {
      // An empty type of no body says nothing; Fastify would look for a parser of it.
      if (headers['content-type']?.trim() === '') delete headers['content-type'];
      return done();
    }
    const { operationId, takesBody } = routeOptions.config;
    if (operationId && !takesBody) {
      return done(new DomainError('invalid_request', 'This endpoint takes no body. Leave it out.'));
    }
    return done(size > BODY_LIMIT_BYTES ? payloadTooLarge() : undefined);
  });
}

export function payloadTooLarge(): DomainError {
  return new DomainError('payload_too_large', `The body is larger than ${BODY_LIMIT_BYTES / 1024} KiB.`);
}
