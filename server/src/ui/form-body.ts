import type { FastifyInstance } from 'fastify';
import { DomainError } from '../domain-error.ts';

/** Lets this part of the server read the bodies of forms, as URLSearchParams, and nothing else. */
export function acceptForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(body.toString())),
  );
  app.addContentTypeParser('*', (_request, _payload, done) =>
    done(new DomainError('unsupported_media_type', 'This address takes the form of its own page.')),
  );
}
