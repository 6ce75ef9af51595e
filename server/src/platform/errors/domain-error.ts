/** Catalogue of all errors of requests, with their HTTP status. */
export const ERROR_STATUS = {
  invalid_json: 400,
  invalid_request: 400,
  invalid_channel: 400,
  invalid_operation: 400,
  unauthorized: 401,
  key_expired: 401,
  key_revoked: 401,
  /**
   * Used for a paused access key and a suspended account. The metered route reports it as `key_inactive`, other routes
   * of the API as `unauthorized`.
   */
  key_paused: 401,
  insufficient_credits: 402,
  /** The monthly limit that the owner has set for the access key is used up. */
  key_limit_exceeded: 402,
  forbidden: 403,
  csrf_failed: 403,
  /** The session is valid, but was opened too long ago for this request. */
  sign_in_again: 403,
  key_mismatch: 403,
  key_inactive: 403,
  insufficient_scope: 403,
  not_found: 404,
  subject_not_found: 404,
  /** Used on the metered route, for which the specification has no 410. Other routes use `gone`. */
  subject_delisted: 404,
  method_not_allowed: 405,
  already_registered: 409,
  key_limit_reached: 409,
  handle_taken: 409,
  proof_not_found: 409,
  code_expired: 409,
  subject_ambiguous: 409,
  idempotency_in_progress: 409,
  gone: 410,
  cursor_expired: 410,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  rate_limited: 429,
  internal_error: 500,
  mcp_not_available: 501,
  scoring_failed: 502,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** A subject that an ambiguous name could mean, in the API's format. */
export interface Candidate {
  canonical_id: string;
  type: string;
  name: string;
  repository: string | null;
  public_path: string;
}

export interface ErrorDetails {
  candidates?: Candidate[];
  /** Type of the subject that the text names, if it differs from the requested type. */
  otherType?: string;
  ledgerId?: string;
  /**
   * New start for a reader of the change feed: the path of the whole list to read first, and the cursor of the changes
   * after it.
   */
  restart?: { snapshot: string; cursor: string };
  retryAfterSeconds?: number;
  /** Methods that the path allows, for 405. */
  allow?: string[];
  /** Entry for the operator's log. */
  logged?: { level: 'info' | 'warn' | 'error'; fields: object; message: string };
}

/**
 * A failure that is reported to the caller: an error code and one sentence. It is independent of HTTP, and
 * `instanceof Error` is true for it. An error of the caller (status below 500) has no stack trace, because capturing it
 * would be expensive. A server failure has one.
 */
export class DomainError implements Error {
  readonly name: string = 'DomainError';
  readonly message: string;
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  /** Underlying error, which is only logged. */
  declare cause?: unknown;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    this.message = message;
    this.code = code;
    this.details = details;
    if (this.status >= 500) Error.captureStackTrace(this, DomainError);
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }

  /** Name and message. Server failures override it with a captured stack. */
  get stack(): string {
    return `${this.name}: ${this.message}`;
  }
}
Object.setPrototypeOf(DomainError.prototype, Error.prototype);
