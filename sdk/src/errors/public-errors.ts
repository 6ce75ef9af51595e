/**
 * Exports the error classes of the client and of the plain functions in `directory.ts`. Both throw the same classes, so
 * `instanceof` works with the errors of both.
 */
export {
  ApiError,
  BadGatewayError,
  BadRequestError,
  ConflictError,
  ForbiddenError,
  GoneError,
  IdempotencyKeyReusedError,
  InsufficientCreditsError,
  InternalServerError,
  NotFoundError,
  NotImplementedError,
  PayloadTooLargeError,
  RateLimitError,
  ServiceUnavailableError,
  UnauthorizedError,
  UnexpectedAnswerError,
  UnsupportedMediaTypeError,
} from './api-errors.ts';
export {
  AbortError,
  type CallTrace,
  ConfigurationError,
  ConnectionError,
  HookError,
  TimeoutError,
  TrustDirectoryError,
} from './errors.ts';
