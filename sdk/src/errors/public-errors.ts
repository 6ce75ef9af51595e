/**
 * Exports the error classes of all entry points. All of them share these classes, so `instanceof` works with each.
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
