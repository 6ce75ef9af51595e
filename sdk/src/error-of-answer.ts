import { readErrorBody } from './error-body.ts';
import * as errors from './errors.ts';
import { retryAfterMs } from './retry-after.ts';

const ERROR_OF_STATUS: Record<number, typeof errors.ApiError> = {
  200: errors.UnexpectedAnswerError,
  400: errors.BadRequestError,
  401: errors.UnauthorizedError,
  402: errors.InsufficientCreditsError,
  403: errors.ForbiddenError,
  404: errors.NotFoundError,
  409: errors.ConflictError,
  413: errors.PayloadTooLargeError,
  415: errors.UnsupportedMediaTypeError,
  422: errors.IdempotencyKeyReusedError,
  429: errors.RateLimitError,
  500: errors.InternalServerError,
  501: errors.NotImplementedError,
  502: errors.BadGatewayError,
  503: errors.ServiceUnavailableError,
};

/** The error for an answer that can't be used. `body` is parsed JSON, text, or undefined where there was none. */
export function errorOfAnswer(answer: Response, body: unknown, trace: errors.CallTrace): errors.ApiError {
  const { status, headers, ok } = answer;
  const { message, ...rest } = readErrorBody(body);
  return new (ERROR_OF_STATUS[ok ? 200 : status] ?? errors.ApiError)(
    message ?? `Unexpected answer (${status}).`,
    {
      ...trace,
      ...rest,
      status,
      requestId: headers.get('x-request-id'),
      retryAfterMs: retryAfterMs(headers),
    },
  );
}
