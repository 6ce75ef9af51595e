import type { FastifyInstance } from 'fastify';
import { DomainError } from '../errors/domain-error.ts';

export const BODY_LIMIT_BYTES = 16 * 1024;

/**
 * Accepts only bodies of JSON in UTF-8, because bodies of other content types would reach handlers unvalidated.
 * Rejects invalid UTF-8 instead of replacing it, so that different bodies never become equal.
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
 * Rejects bodies by the request's headers, without reading them: any body if the contract has none, and bodies whose
 * Content-Length exceeds the route's limit.
 */
export function refuseUnusableBodies(app: FastifyInstance): void {
  app.addHook('onRequest', ({ headers, routeOptions }, _reply, done) => {
    const size = Number(headers['content-length'] ?? 0);
    if (size === 0 && headers['transfer-encoding'] === undefined) {
      // Remove an empty Content-Type without a body, because Fastify would search for a parser of it.
      if (headers['content-type']?.trim() === '') delete headers['content-type'];
      return done();
    }
    const { operationId, takesBody } = routeOptions.config;
    if (operationId && !takesBody) {
      return done(new DomainError('invalid_request', 'This endpoint takes no body. Leave it out.'));
    }
    const limit = bodyLimitOf(routeOptions);
    return done(size > limit ? payloadTooLarge(limit) : undefined);
  });
}

/** Returns the maximum bytes of a body on a route. A request without a route has the limit of most routes. */
export function bodyLimitOf({ bodyLimit }: { bodyLimit?: number | undefined }): number {
  return bodyLimit ?? BODY_LIMIT_BYTES;
}

/** Creates the error for a body with more bytes than its route takes. */
export function payloadTooLarge(limit: number): DomainError {
  return new DomainError('payload_too_large', `The body is larger than ${limit / 1024} KiB.`);
}
