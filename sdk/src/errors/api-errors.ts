import type { ErrorCode, SubjectReference } from '../contract/models.ts';
import { TrustDirectoryError } from './errors.ts';

/**
 * Thrown for an error response. `message` is for people; branch on `code`. Each documented status has its own subclass;
 * errors of other statuses are plain `ApiError`s. A bundle omits subclasses that the program doesn't import; errors of
 * their statuses are then plain `ApiError`s, too. In a bundle, compare `status`, or import the subclass.
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
  /** HTTP status of the response. */
  declare readonly status: number;
  /** Machine-readable code; null if the response has none, such as one from a gateway. */
  declare readonly code: ErrorCode | null;
  /** Receipt id of a failed or running operation; null without one. */
  declare readonly ledgerId: string | null;
  /** Milliseconds to wait before a retry, from `Retry-After`; null without it. */
  declare readonly retryAfterMs: number | null;
  /** Response headers without cookies; texts that look like access keys or credentials are redacted. */
  declare readonly headers: Headers;
  /** `Content-Type` of the response, such as `text/html`; null without one. */
  declare readonly contentType: string | null;
  /** First 2,048 characters of the body; texts that look like access keys or credentials are redacted. */
  declare readonly body: string;
  /** Candidates for an ambiguous subject, at most 10; send the `canonical_id` of one. Empty on other errors. */
  declare readonly candidates: readonly SubjectReference[];
}

/**
 * Thrown for a 2xx response that violates the contract, such as a proxy's page, and for a response above
 * `maxAnswerBytes`. `ledgerId` is set if the body has a receipt id.
 */
export class UnexpectedAnswerError extends ApiError {
  override readonly name = 'UnexpectedAnswerError';
}

/** Constructor of a status's error class. */
export interface ErrorClass<Status extends number> {
  new (message: string, details?: object): ApiError & { readonly status: Status };
  prototype: ApiError & { readonly status: Status };
}

const classes: Record<number, ErrorClass<number>> = {};

/**
 * Returns the error class of a status: the class registered by {@link errorClass}, otherwise `ApiError`. A bundle
 * contains only the classes that the program imports. In a bundle, errors of all other statuses are plain `ApiError`s
 * with the same members.
 */
export const errorClassFor = (status: number): ErrorClass<number> =>
  classes[status] ?? (ApiError as ErrorClass<number>);

/** Creates the error class of a status, and registers it for {@link errorClassFor}. */
const errorClass = <Status extends number>(status: Status, name: string): ErrorClass<Status> => {
  classes[status] = class extends ApiError {
    override readonly name = name;
  } as ErrorClass<number>;
  return classes[status] as ErrorClass<Status>;
};

/** 400: the request is malformed. Don't retry it unchanged. */
export const BadRequestError = /* @__PURE__ */ errorClass(400, 'BadRequestError');
/** Instance type of the class. */
export type BadRequestError = InstanceType<typeof BadRequestError>;

/**
 * 401: the access key is missing, malformed, unknown, expired, revoked or paused, or the session of the console has
 * ended. Don't retry with it.
 */
export const UnauthorizedError = /* @__PURE__ */ errorClass(401, 'UnauthorizedError');
/** Instance type of the class. */
export type UnauthorizedError = InstanceType<typeof UnauthorizedError>;

/**
 * 402: no free calls or credits are left for this call, or (`key_limit_exceeded`) the access key has reached its
 * monthly limit. Nothing was charged.
 */
export const InsufficientCreditsError = /* @__PURE__ */ errorClass(402, 'InsufficientCreditsError');
/** Instance type of the class. */
export type InsufficientCreditsError = InstanceType<typeof InsufficientCreditsError>;

/** 403: the key or session is valid but not allowed to do this, for instance because the key lacks a scope. */
export const ForbiddenError = /* @__PURE__ */ errorClass(403, 'ForbiddenError');
/** Instance type of the class. */
export type ForbiddenError = InstanceType<typeof ForbiddenError>;

/**
 * 404: no such entry, creator, subject or receipt; for an operation also a subject that was delisted (`code` is
 * `subject_delisted`). Nothing was charged.
 */
export const NotFoundError = /* @__PURE__ */ errorClass(404, 'NotFoundError');
/** Instance type of the class. */
export type NotFoundError = InstanceType<typeof NotFoundError>;

/**
 * 409: `code` says what the conflict is, such as `subject_ambiguous` (see `candidates`), `idempotency_in_progress` (an
 * earlier request with the same key still runs) or `already_registered`. Nothing was charged by this call.
 */
export const ConflictError = /* @__PURE__ */ errorClass(409, 'ConflictError');
/** Instance type of the class. */
export type ConflictError = InstanceType<typeof ConflictError>;

/**
 * 410: the directory's operator has removed the entry (`message` says when and why), or changes after a cursor are no
 * longer available (`cursor_expired`). Don't retry.
 */
export const GoneError = /* @__PURE__ */ errorClass(410, 'GoneError');
/** Instance type of the class. */
export type GoneError = InstanceType<typeof GoneError>;

/** 413: the request's body is over 16 KiB, or over 128 KiB for a look-up of many subjects. */
export const PayloadTooLargeError = /* @__PURE__ */ errorClass(413, 'PayloadTooLargeError');
/** Instance type of the class. */
export type PayloadTooLargeError = InstanceType<typeof PayloadTooLargeError>;

/** 415: the request did not arrive as JSON, usually because of a proxy. */
export const UnsupportedMediaTypeError = /* @__PURE__ */ errorClass(415, 'UnsupportedMediaTypeError');
/** Instance type of the class. */
export type UnsupportedMediaTypeError = InstanceType<typeof UnsupportedMediaTypeError>;

/** 422: the idempotency key was used for another operation, subject or registration. Nothing ran; use a new key. */
export const IdempotencyKeyReusedError = /* @__PURE__ */ errorClass(422, 'IdempotencyKeyReusedError');
/** Instance type of the class. */
export type IdempotencyKeyReusedError = InstanceType<typeof IdempotencyKeyReusedError>;

/** 429: too many requests; `retryAfterMs` says how long to wait. */
export const RateLimitError = /* @__PURE__ */ errorClass(429, 'RateLimitError');
/** Instance type of the class. */
export type RateLimitError = InstanceType<typeof RateLimitError>;

/** 500: the service failed. An operation is safe to run again with the same `idempotencyKey`. */
export const InternalServerError = /* @__PURE__ */ errorClass(500, 'InternalServerError');
/** Instance type of the class. */
export type InternalServerError = InstanceType<typeof InternalServerError>;

/** 501: the request's `channel` is reserved for later and not implemented. Omit it, or send `api`. */
export const NotImplementedError = /* @__PURE__ */ errorClass(501, 'NotImplementedError');
/** Instance type of the class. */
export type NotImplementedError = InstanceType<typeof NotImplementedError>;

/**
 * 502: the subject couldn't be scored and nothing was charged (`ledgerId` is the failed attempt), or a gateway failed.
 */
export const BadGatewayError = /* @__PURE__ */ errorClass(502, 'BadGatewayError');
/** Instance type of the class. */
export type BadGatewayError = InstanceType<typeof BadGatewayError>;

/** 503: the service is temporarily unavailable. An operation is safe to run again with the same `idempotencyKey`. */
export const ServiceUnavailableError = /* @__PURE__ */ errorClass(503, 'ServiceUnavailableError');
/** Instance type of the class. */
export type ServiceUnavailableError = InstanceType<typeof ServiceUnavailableError>;
