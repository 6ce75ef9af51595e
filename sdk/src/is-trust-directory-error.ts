import type { PolicyError } from './check-trust.ts';
import type { ApiError, UnexpectedAnswerError } from './errors/api-errors.ts';
import {
  type AbortError,
  BRAND,
  type ConfigurationError,
  type ConnectionError,
  type HookError,
  type TimeoutError,
  type TrustDirectoryError,
} from './errors/errors.ts';

/** HTTP statuses of the subclasses of `ApiError`, by class name. */
const STATUSES = {
  BadRequestError: 400,
  UnauthorizedError: 401,
  InsufficientCreditsError: 402,
  ForbiddenError: 403,
  NotFoundError: 404,
  ConflictError: 409,
  GoneError: 410,
  PayloadTooLargeError: 413,
  UnsupportedMediaTypeError: 415,
  IdempotencyKeyReusedError: 422,
  RateLimitError: 429,
  InternalServerError: 500,
  NotImplementedError: 501,
  BadGatewayError: 502,
  ServiceUnavailableError: 503,
} as const;

type Statuses = typeof STATUSES;

/** Error types of this package, by class name, except `VerificationError` of `@trust-directory/sdk/verify`. */
export type TrustDirectoryErrors = {
  readonly [Name in keyof Statuses]: ApiError & { readonly status: Statuses[Name] };
} & {
  readonly TrustDirectoryError: TrustDirectoryError;
  readonly ApiError: ApiError;
  readonly UnexpectedAnswerError: UnexpectedAnswerError;
  readonly AbortError: AbortError;
  readonly ConfigurationError: ConfigurationError;
  readonly ConnectionError: ConnectionError;
  readonly HookError: HookError;
  readonly TimeoutError: TimeoutError;
  readonly PolicyError: PolicyError;
};

/**
 * Returns true if a value is an error of this package and, if a name is given, an instance of the class with this name.
 * Unlike `instanceof`, it recognizes errors of other copies of the package, such as the CommonJS build in a program
 * that also loads the ESM build, or the copy of another frame.
 *
 * @example
 * await client.subjects.lookup('nobody').catch((error) => {
 *   if (!isTrustDirectoryError(error, 'NotFoundError')) throw error;
 *   console.log(error.status, error.message); // 404
 * });
 */
export function isTrustDirectoryError<Name extends keyof TrustDirectoryErrors = 'TrustDirectoryError'>(
  error: unknown,
  name?: Name,
): error is TrustDirectoryErrors[Name] {
  const { name: own, status } = Object(error);
  if (!(BRAND in Object(error))) return false;
  if (!name || name === 'TrustDirectoryError' || name === own) return true;
  // Only API errors have a status. In a bundle without the subclass, an API error has the name of the base class.
  const isApiError = typeof status === 'number';
  if (name === 'ApiError') return isApiError;
  return isApiError && own !== 'UnexpectedAnswerError' && STATUSES[name as keyof Statuses] === status;
}
