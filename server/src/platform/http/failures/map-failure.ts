import type { FastifyError, FastifyRequest } from 'fastify';
import { isDatabaseBusy, isDatabaseUnavailable } from '../../database/database-errors.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { describeViolations } from '../contract/describe-violations.ts';
import { BODY_LIMIT_BYTES, bodyLimitOf, payloadTooLarge } from '../json-body.ts';
import { malformedEscape } from '../redirect-paths.ts';
import { logFailure } from './log-failure.ts';

const FRAMEWORK_ERRORS: Record<string, (bodyLimit: number) => DomainError> = {
  FST_ERR_CTP_INVALID_JSON_BODY: () => new DomainError('invalid_json', 'The body is not valid JSON.'),
  FST_ERR_CTP_EMPTY_JSON_BODY: () =>
    new DomainError('invalid_json', 'The body is empty. Send a JSON object.'),
  FST_ERR_CTP_BODY_TOO_LARGE: payloadTooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new DomainError('unsupported_media_type', 'Send the body as JSON with Content-Type: application/json.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new DomainError('invalid_request', 'Content-Length does not match the size of the body.'),
  FST_ERR_BAD_URL: () => malformedEscape(),
  FST_ERR_MAX_PARAM_LENGTH: () =>
    new DomainError('uri_too_long', 'A part of the address is longer than 1024 characters.'),
};

/**
 * Maps any failure to what the client may see. Unexpected failures become an internal error without details.
 * `bodyLimit` is the route's maximum body size in bytes; the error for a larger body names it.
 */
export function toDomainError(error: unknown, bodyLimit: number = BODY_LIMIT_BYTES): DomainError {
  if (error instanceof DomainError) return error;
  const { code, validation, statusCode } = error as Partial<FastifyError>;
  if (validation) return new DomainError('invalid_request', describeViolations(validation));
  const known = FRAMEWORK_ERRORS[code ?? ''];
  if (known) return known(bodyLimit);
  if (isDatabaseBusy(error)) {
    return new DomainError(
      'unavailable',
      'The service is busy: another change of the same entries takes too long. Try again in a moment.',
      { retryAfterSeconds: 2 },
    );
  }
  if (isDatabaseUnavailable(error)) {
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

/** Maps a failure for the client. Logs unexpected failures, and details that are meant for the operator. */
export function mapAndLogFailure(
  { log, routeOptions }: Pick<FastifyRequest, 'log' | 'routeOptions'>,
  thrown: unknown,
): DomainError {
  const error = toDomainError(thrown, bodyLimitOf(routeOptions));
  const { logged } = error.details;
  if (error.code === 'internal_error') logFailure(log, thrown);
  if (logged) log[logged.level](logged.fields, logged.message);
  return error;
}
