/** Every way a request can fail, and its HTTP status: the one error catalogue. */
export const ERROR_STATUS = {
  invalid_json: 400,
  invalid_request: 400,
  invalid_channel: 400,
  invalid_operation: 400,
  unauthorized: 401,
  key_expired: 401,
  key_revoked: 401,
  /** A paused key as the bearer; on the wire `key_inactive`, as when `api_key_id` names one (403). */
  key_paused: 401,
  insufficient_credits: 402,
  forbidden: 403,
  csrf_failed: 403,
  /** A living session, but opened too long ago for what was asked. */
  sign_in_again: 403,
  key_mismatch: 403,
  key_inactive: 403,
  insufficient_scope: 403,
  not_found: 404,
  subject_not_found: 404,
  /** Of the metered route, which the specification gives no 410: what is `gone` elsewhere. */
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

/** One subject that an ambiguous label could mean, in the wire's names. */
export interface Candidate {
  canonical_id: string;
  type: string;
  name: string;
  repository: string | null;
  public_path: string;
}

export interface ErrorDetails {
  candidates?: Candidate[];
  /** The type of subject that a text names, where another one was asked for. */
  otherType?: string;
  ledgerId?: string;
  retryAfterSeconds?: number;
  /** Methods that the path does allow, for 405. */
  allow?: string[];
  /** For the operator's log alone. */
  logged?: { level: 'info' | 'warn' | 'error'; fields: object; message: string };
}

/**
 * A failure the caller is told about: a machine code and one sentence for a person. Domain code knows no HTTP. An Error to
 * anyone who asks (`instanceof`), made without Error's constructor: that walks the stack, for a fault of the caller that nobody
 * looks for in our code. A failure of ours has its stack.
 */
export class DomainError implements Error {
  readonly name: string = 'DomainError';
  readonly message: string;
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  /** What led to it; for logs alone. */
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

  /** A failure of ours has its own, with the places that led to it. */
  get stack(): string {
    return `${this.name}: ${this.message}`;
  }
}
Object.setPrototypeOf(DomainError.prototype, Error.prototype);
