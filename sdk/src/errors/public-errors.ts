/**
 * Exports the error classes of all entry points. They share one class each, so `instanceof` works across entry points.
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
