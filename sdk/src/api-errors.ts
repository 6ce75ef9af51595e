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

/** The class of one status. */
interface StatusErrorClass<Name extends string, Status extends number> {
  new (message: string, details?: object): ApiError & { readonly name: Name; readonly status: Status };
}

/** Every class below, by its status. A success that can't be used stands at 200. */
export const errorOfStatus: Record<number, new (message: string, details?: object) => ApiError> = {};

/** Makes the class of a status. Its name is given as text, because bundlers shorten the names of classes. */
function ofStatus<Name extends string, Status extends number>(name: Name, status: Status) {
  errorOfStatus[status] = class extends ApiError {
    override readonly name = name;
  };
  return errorOfStatus[status] as unknown as StatusErrorClass<Name, Status>;
}

/** A success that isn't what the contract says, such as the page of a proxy. `ledgerId` is set if it held a receipt. */
export const UnexpectedAnswerError = ofStatus<'UnexpectedAnswerError', number>('UnexpectedAnswerError', 200);
export type UnexpectedAnswerError = InstanceType<typeof UnexpectedAnswerError>;

/** 400: the request is malformed. Don't retry it unchanged. */
export const BadRequestError = ofStatus('BadRequestError', 400);
export type BadRequestError = InstanceType<typeof BadRequestError>;

/** 401: the access key is missing, malformed, unknown, expired, revoked or paused. Don't retry with it. */
export const UnauthorizedError = ofStatus('UnauthorizedError', 401);
export type UnauthorizedError = InstanceType<typeof UnauthorizedError>;

/** 402: no free calls or credits are left for this call. Nothing was charged. */
export const InsufficientCreditsError = ofStatus('InsufficientCreditsError', 402);
export type InsufficientCreditsError = InstanceType<typeof InsufficientCreditsError>;

/** 403: the key is good but may not do this, for instance because it lacks a scope. */
export const ForbiddenError = ofStatus('ForbiddenError', 403);
export type ForbiddenError = InstanceType<typeof ForbiddenError>;

/** 404: no such entry, creator, subject or receipt. Nothing was charged. */
export const NotFoundError = ofStatus('NotFoundError', 404);
export type NotFoundError = InstanceType<typeof NotFoundError>;

/**
 * 409: by `code`, `subject_ambiguous` (see `candidates`), `idempotency_in_progress` (an earlier request with the same
 * key still runs) or `already_registered`. Nothing was charged by this call.
 */
export const ConflictError = ofStatus('ConflictError', 409);
export type ConflictError = InstanceType<typeof ConflictError>;

/** 413: the request is over 16 KiB. */
export const PayloadTooLargeError = ofStatus('PayloadTooLargeError', 413);
export type PayloadTooLargeError = InstanceType<typeof PayloadTooLargeError>;

/** 415: the request didn't arrive as JSON; usually the work of a proxy. */
export const UnsupportedMediaTypeError = ofStatus('UnsupportedMediaTypeError', 415);
export type UnsupportedMediaTypeError = InstanceType<typeof UnsupportedMediaTypeError>;

/** 422: the idempotency key was used for another operation or subject. Nothing ran; use a new key. */
export const IdempotencyKeyReusedError = ofStatus('IdempotencyKeyReusedError', 422);
export type IdempotencyKeyReusedError = InstanceType<typeof IdempotencyKeyReusedError>;

/** 429: too many requests; `retryAfterMs` says how long to wait. */
export const RateLimitError = ofStatus('RateLimitError', 429);
export type RateLimitError = InstanceType<typeof RateLimitError>;

/** 500: the service failed. An operation is safe to run again with the same `idempotencyKey`. */
export const InternalServerError = ofStatus('InternalServerError', 500);
export type InternalServerError = InstanceType<typeof InternalServerError>;

/** 501: the channel is reserved and can't be used. */
export const NotImplementedError = ofStatus('NotImplementedError', 501);
export type NotImplementedError = InstanceType<typeof NotImplementedError>;

/** 502: the subject couldn't be scored and nothing was charged (`ledgerId` is the failed attempt), or a gateway failed. */
export const BadGatewayError = ofStatus('BadGatewayError', 502);
export type BadGatewayError = InstanceType<typeof BadGatewayError>;

/** 503: the service can't answer just now. An operation is safe to run again with the same `idempotencyKey`. */
export const ServiceUnavailableError = ofStatus('ServiceUnavailableError', 503);
export type ServiceUnavailableError = InstanceType<typeof ServiceUnavailableError>;
