import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { errorCode, isDatabaseAway } from '../database/database-errors.ts';
import { DomainError } from '../domain-error.ts';
import { directoryErrorBody, METERED_PREFIX, meteredErrorBody } from './error-body.ts';
import { payloadTooLarge } from './json-body.ts';
import { describeViolations } from './validation.ts';

const FRAMEWORK_ERRORS: Record<string, () => DomainError> = {
  FST_ERR_CTP_INVALID_JSON_BODY: () => new DomainError('invalid_json', 'The body is not valid JSON.'),
  FST_ERR_CTP_EMPTY_JSON_BODY: () =>
    new DomainError('invalid_json', 'The body is empty. Send a JSON object.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => payloadTooLarge(),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new DomainError('unsupported_media_type', 'Send the body as JSON with Content-Type: application/json.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new DomainError('invalid_request', 'Content-Length does not match the size of the body.'),
  FST_ERR_BAD_URL: () => new DomainError('invalid_request', 'The address holds a malformed escape.'),
  FST_ERR_MAX_PARAM_LENGTH: () =>
    new DomainError('uri_too_long', 'A part of the address is longer than 1024 characters.'),
};

/** glue wraps what a security handler throws. */
function unwrap(error: unknown): unknown {
  const inner = (error as { errors?: unknown[] }).errors;
  return Array.isArray(inner) && inner[0] instanceof Error ? inner[0] : error;
}

/** What the caller is told of any failure. Whatever is not known is an internal error and says nothing more. */
export function toDomainError(thrown: unknown): DomainError {
  const error = unwrap(thrown);
  if (error instanceof DomainError) return error;
  const { code, validation, statusCode } = error as Partial<FastifyError>;
  if (validation) return new DomainError('invalid_request', describeViolations(validation as never));
  const known = FRAMEWORK_ERRORS[code ?? ''];
  if (known) return known();
  if (isDatabaseAway(error)) {
    return new DomainError(
      'unavailable',
      'The service cannot reach its database just now. Retry in a moment.',
      {
        retryAfterSeconds: 2,
      },
    );
  }
  if (statusCode === 503) {
    return new DomainError('unavailable', 'The service is shutting down. Retry in a moment.', {
      retryAfterSeconds: 2,
    });
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new DomainError('invalid_request', 'The request could not be read.');
  }
  return new DomainError(
    'internal_error',
    'Something went wrong on our side. It was logged under the request id.',
  );
}

/** What is logged of a failure nobody foresaw: kind, code and places, never a message that could hold a value. */
export function logFailure(log: FastifyBaseLogger, error: unknown): void {
  const { name, message, stack } = error as Error;
  // The message stands in the stack too, and a value that it quotes may look like a place.
  const frames = stack
    ?.replace(message, '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 8);
  log.error({ failure: name, sqlState: errorCode(error)?.code, frames }, 'request failed');
}

/** What the caller is told of a failure; one that nobody foresaw is logged. */
export function noteFailure(log: FastifyBaseLogger, thrown: unknown): DomainError {
  const error = toDomainError(thrown);
  if (error.code === 'internal_error') logFailure(log, thrown);
  return error;
}

/** Makes an answer a failure, but for its body: status, what goes with it, and the word for the access log. */
export function beginFailure(request: FastifyRequest, reply: FastifyReply, error: DomainError): FastifyReply {
  const { retryAfterSeconds } = error.details;
  if (retryAfterSeconds) reply.header('Retry-After', retryAfterSeconds);
  request.errorCode = error.code;
  return reply.code(error.status).header('Cache-Control', 'no-store');
}

/** Sends a failure in the shape of its route, with the headers that go with it. */
export function sendError(request: FastifyRequest, reply: FastifyReply, error: DomainError): FastifyReply {
  const { allow, ledgerId } = error.details;
  if (allow) reply.header('Allow', allow.join(', '));
  if (error.status === 401) reply.header('WWW-Authenticate', 'Bearer');
  request.ledgerId ??= ledgerId ?? null;
  const metered = (request.routeOptions.url ?? request.url).startsWith(METERED_PREFIX);
  return beginFailure(request, reply, error)
    .type('application/json; charset=utf-8')
    .send(metered ? meteredErrorBody(error, request.body) : directoryErrorBody(error));
}
