import { TrustDirectoryError } from './errors.ts';
import type { ErrorCode, SubjectReference } from './models.ts';

/**
 * The service answered, and the answer can't be used. `message` is a sentence for a person, `code` the word to branch on.
 * Each status has a class of its own; a status without one comes as this class.
 *
 * @example
 * await client.subjects.lookup('github-mcp-server').catch((error) => {
 *   if (error instanceof ConflictError) console.error(error.candidates.map(({ canonical_id }) => canonical_id));
 *   else if (error instanceof ApiError) console.error(error.status, error.code, error.message);
 *   throw error;
 * });
 */
export class ApiError extends TrustDirectoryError {
  override readonly name: string = 'ApiError';
  /** HTTP status. */
  declare readonly status: number;
  /** Machine-readable code; null where the answer had none, as from a gateway. */
  declare readonly code: ErrorCode | null;
  /** Receipt of a failed or still running operation. */
  declare readonly ledgerId: string | null;
  /** Milliseconds to wait before another try, as the service asked; null where it didn't ask. */
  declare readonly retryAfterMs: number | null;
  /** What an ambiguous subject could mean, at most 10; send the `canonical_id` of one. Empty on other errors. */
  declare readonly candidates: readonly SubjectReference[];
}

/** A success that isn't what the contract says, such as the page of a proxy. `ledgerId` is set if it held a receipt. */
export class UnexpectedAnswerError extends ApiError {
  override readonly name = 'UnexpectedAnswerError';
}

/** 400: the request is malformed. Don't retry it unchanged. */
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError';
  declare readonly status: 400;
}

/** 401: the access key is missing, malformed, unknown, expired, revoked or paused. Don't retry with it. */
export class UnauthorizedError extends ApiError {
  override readonly name = 'UnauthorizedError';
  declare readonly status: 401;
}

/** 402: no free calls or credits are left for this call. Nothing was charged. */
export class InsufficientCreditsError extends ApiError {
  override readonly name = 'InsufficientCreditsError';
  declare readonly status: 402;
}

/** 403: the key is good but may not do this, for instance because it lacks a scope. */
export class ForbiddenError extends ApiError {
  override readonly name = 'ForbiddenError';
  declare readonly status: 403;
}

/**
 * 404: no such entry, creator, subject or receipt; for an operation also a subject that was delisted (`code` is
 * `subject_delisted`). Nothing was charged.
 */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
  declare readonly status: 404;
}

/**
 * 409: by `code`, `subject_ambiguous` (see `candidates`), `idempotency_in_progress` (an earlier request with the same
 * key still runs) or `already_registered`. Nothing was charged by this call.
 */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
  declare readonly status: 409;
}

/** 410: the directory's operator has taken the entry out; `message` says when and why. Don't retry. */
export class GoneError extends ApiError {
  override readonly name = 'GoneError';
  declare readonly status: 410;
}

/** 413: the request is over 16 KiB. */
export class PayloadTooLargeError extends ApiError {
  override readonly name = 'PayloadTooLargeError';
  declare readonly status: 413;
}

/** 415: the request didn't arrive as JSON; usually the work of a proxy. */
export class UnsupportedMediaTypeError extends ApiError {
  override readonly name = 'UnsupportedMediaTypeError';
  declare readonly status: 415;
}

/** 422: the idempotency key was used for another operation or subject. Nothing ran; use a new key. */
export class IdempotencyKeyReusedError extends ApiError {
  override readonly name = 'IdempotencyKeyReusedError';
  declare readonly status: 422;
}

/** 429: too many requests; `retryAfterMs` says how long to wait. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
  declare readonly status: 429;
}

/** 500: the service failed. An operation is safe to run again with the same `idempotencyKey`. */
export class InternalServerError extends ApiError {
  override readonly name = 'InternalServerError';
  declare readonly status: 500;
}

/** 501: the channel is reserved and can't be used. */
export class NotImplementedError extends ApiError {
  override readonly name = 'NotImplementedError';
  declare readonly status: 501;
}

/** 502: the subject couldn't be scored and nothing was charged (`ledgerId` is the failed attempt), or a gateway failed. */
export class BadGatewayError extends ApiError {
  override readonly name = 'BadGatewayError';
  declare readonly status: 502;
}

/** 503: the service can't answer just now. An operation is safe to run again with the same `idempotencyKey`. */
export class ServiceUnavailableError extends ApiError {
  override readonly name = 'ServiceUnavailableError';
  declare readonly status: 503;
}

/** Every class of a status, by it. */
export const errorOfStatus: Record<number, typeof ApiError> = {
  400: BadRequestError,
  401: UnauthorizedError,
  402: InsufficientCreditsError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  413: PayloadTooLargeError,
  415: UnsupportedMediaTypeError,
  422: IdempotencyKeyReusedError,
  429: RateLimitError,
  500: InternalServerError,
  501: NotImplementedError,
  502: BadGatewayError,
  503: ServiceUnavailableError,
};
