import type { FastifyInstance } from 'fastify';
import { DomainError } from '../../platform/errors/domain-error.ts';

/**
 * Ends a shell's single-quoted text, inserts a random idempotency key, and continues the text, so that a sample can be
 * run repeatedly, also twice in a second. Uses `od`, because many systems lack `uuidgen` and some shells `$RANDOM`.
 */
export const SHELL_IDEMPOTENCY_KEY = `'$(od -An -N16 -tx1 /dev/urandom | tr -d " \\n")'`;

/** Accepts only form bodies in this part of the server, parsed as URLSearchParams. */
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
