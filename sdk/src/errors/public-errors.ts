/** Every error that a call can end with: the same classes from each entry point, so `instanceof` holds across them. */
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
