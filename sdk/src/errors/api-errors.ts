import type { ErrorCode, SubjectReference } from '../contract/models.ts';
import { TrustDirectoryError } from './errors.ts';

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
  /** Headers of the answer, without cookies; what looks like a secret is blanked. */
  declare readonly headers: Headers;
  /** What the answer says that its body is, such as `text/html`; null where it doesn't. */
  declare readonly contentType: string | null;
  /** The first 2 kB (2,048 characters) of the body, as text; what looks like a secret is blanked. */
  declare readonly body: string;
  /** What an ambiguous subject could mean, at most 10; send the `canonical_id` of one. Empty on other errors. */
  declare readonly candidates: readonly SubjectReference[];
}

/** A success that isn't what the contract says, such as the page of a proxy. `ledgerId` is set if it held a receipt. */
export class UnexpectedAnswerError extends ApiError {
  override readonly name = 'UnexpectedAnswerError';
}

/** The class of a status, as a value. */
export interface ErrorClass<Status extends number> {
  new (message: string, details?: object): ApiError & { readonly status: Status };
  prototype: ApiError & { readonly status: Status };
}

const NAMES: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  402: 'InsufficientCredits',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Gone',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  422: 'IdempotencyKeyReused',
  429: 'RateLimit',
  500: 'InternalServer',
  501: 'NotImplemented',
  502: 'BadGateway',
  503: 'ServiceUnavailable',
};
const classes: Record<number, ErrorClass<number>> = {};

/** The one class of a status. Made on demand, so that a bundle holds only the names of those that the program doesn't use. */
export function classOf<Status extends number>(status: Status): ErrorClass<Status> {
  const name = NAMES[status];
  if (name)
    classes[status] ??= class extends ApiError {
      override readonly name = `${name}Error`;
    };
  return (classes[status] ?? ApiError) as ErrorClass<Status>;
}

/** 400: the request is malformed. Don't retry it unchanged. */
export const BadRequestError = /* @__PURE__ */ classOf(400);
/** An error of the class of this name. */
export type BadRequestError = InstanceType<typeof BadRequestError>;

/** 401: the access key is missing, malformed, unknown, expired, revoked or paused. Don't retry with it. */
export const UnauthorizedError = /* @__PURE__ */ classOf(401);
/** An error of the class of this name. */
export type UnauthorizedError = InstanceType<typeof UnauthorizedError>;

/** 402: no free calls or credits are left for this call. Nothing was charged. */
export const InsufficientCreditsError = /* @__PURE__ */ classOf(402);
/** An error of the class of this name. */
export type InsufficientCreditsError = InstanceType<typeof InsufficientCreditsError>;

/** 403: the key is valid but not allowed to do this, for instance because it lacks a scope. */
export const ForbiddenError = /* @__PURE__ */ classOf(403);
/** An error of the class of this name. */
export type ForbiddenError = InstanceType<typeof ForbiddenError>;

/**
 * 404: no such entry, creator, subject or receipt; for an operation also a subject that was delisted (`code` is
 * `subject_delisted`). Nothing was charged.
 */
export const NotFoundError = /* @__PURE__ */ classOf(404);
/** An error of the class of this name. */
export type NotFoundError = InstanceType<typeof NotFoundError>;

/**
 * 409: by `code`, `subject_ambiguous` (see `candidates`), `idempotency_in_progress` (an earlier request with the same
 * key still runs) or `already_registered`. Nothing was charged by this call.
 */
export const ConflictError = /* @__PURE__ */ classOf(409);
/** An error of the class of this name. */
export type ConflictError = InstanceType<typeof ConflictError>;

/** 410: the directory's operator has removed the entry; `message` says when and why. Don't retry. */
export const GoneError = /* @__PURE__ */ classOf(410);
/** An error of the class of this name. */
export type GoneError = InstanceType<typeof GoneError>;

/** 413: the request is over 16 KiB. */
export const PayloadTooLargeError = /* @__PURE__ */ classOf(413);
/** An error of the class of this name. */
export type PayloadTooLargeError = InstanceType<typeof PayloadTooLargeError>;

/** 415: the request didn't arrive as JSON; usually the work of a proxy. */
export const UnsupportedMediaTypeError = /* @__PURE__ */ classOf(415);
/** An error of the class of this name. */
export type UnsupportedMediaTypeError = InstanceType<typeof UnsupportedMediaTypeError>;

/** 422: the idempotency key was used for another operation, subject or registration. Nothing ran; use a new key. */
export const IdempotencyKeyReusedError = /* @__PURE__ */ classOf(422);
/** An error of the class of this name. */
export type IdempotencyKeyReusedError = InstanceType<typeof IdempotencyKeyReusedError>;

/** 429: too many requests; `retryAfterMs` says how long to wait. */
export const RateLimitError = /* @__PURE__ */ classOf(429);
/** An error of the class of this name. */
export type RateLimitError = InstanceType<typeof RateLimitError>;

/** 500: the service failed. An operation is safe to run again with the same `idempotencyKey`. */
export const InternalServerError = /* @__PURE__ */ classOf(500);
/** An error of the class of this name. */
export type InternalServerError = InstanceType<typeof InternalServerError>;

/** 501: the channel is reserved and can't be used. */
export const NotImplementedError = /* @__PURE__ */ classOf(501);
/** An error of the class of this name. */
export type NotImplementedError = InstanceType<typeof NotImplementedError>;

/** 502: the subject couldn't be scored and nothing was charged (`ledgerId` is the failed attempt), or a gateway failed. */
export const BadGatewayError = /* @__PURE__ */ classOf(502);
/** An error of the class of this name. */
export type BadGatewayError = InstanceType<typeof BadGatewayError>;

/** 503: the service can't answer just now. An operation is safe to run again with the same `idempotencyKey`. */
export const ServiceUnavailableError = /* @__PURE__ */ classOf(503);
/** An error of the class of this name. */
export type ServiceUnavailableError = InstanceType<typeof ServiceUnavailableError>;
