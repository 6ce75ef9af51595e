import type { FastifyInstance } from 'fastify';
import { DomainError } from '../../platform/errors/domain-error.ts';

/**
 * Shell text that closes a single-quoted string, inserts an idempotency key and opens the string again. The key
 * consists of the time in seconds and the shell's process id, so a sample that is run again later is a new call. Uses
 * `date`, because many systems lack `uuidgen`.
 */
export const SHELL_IDEMPOTENCY_KEY = "'$(date +%s)-$$'";

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
