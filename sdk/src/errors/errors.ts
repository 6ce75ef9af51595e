/** What every call knows about itself. */
export interface CallTrace {
  /** Requests that were sent; 0 where the call ended before the first one. */
  readonly attempts: number;
  /** The key of an operation or a registration: send the same again with it, and it is done at most once. Null on other calls. */
  readonly idempotencyKey: string | null;
  /** `X-Request-Id` of the last answer; quote it when you ask for support. Null where none came. */
  readonly requestId: string | null;
  /** Milliseconds since the call began: for a running call until now, for a result or an error until it came. */
  readonly elapsedMs: number;
}

/** Counted up while a call runs. */
export type Trace = { -readonly [Name in keyof CallTrace]: CallTrace[Name] };

/** The trace of a call that begins now. */
export const traceOf = (idempotencyKey: string | null = null): Trace => {
  const startedAt = performance.now();
  return {
    attempts: 0,
    idempotencyKey,
    requestId: null,
    // Errors and results copy it, and the copy doesn't change any more.
    get elapsedMs() {
      return performance.now() - startedAt;
    },
  };
};

/**
 * Parent of every error of this package. No error of this package holds the access key.
 *
 * @example
 * await client.operations.run({ operation: 'agent_score', subject: 'a/b' }).catch((error) => {
 *   if (error instanceof TrustDirectoryError) console.error(error.idempotencyKey, error.requestId, error.attempts);
 *   throw error;
 * });
 */
export class TrustDirectoryError extends Error implements CallTrace {
  override readonly name: string = 'TrustDirectoryError';
  declare readonly attempts: number;
  declare readonly idempotencyKey: string | null;
  declare readonly requestId: string | null;
  declare readonly elapsedMs: number;

  /** `details` become members of the error: what its class names, and a `cause`. */
  constructor(message: string, details?: object) {
    super(message, details);
    Object.assign(this, traceOf(), details);
  }
}

/** An option, an id or a request can't be used, or the key would have to travel unprotected. Nothing was sent. */
export class ConfigurationError extends TrustDirectoryError {
  override readonly name = 'ConfigurationError';
}

/**
 * A function that you gave the client failed: a hook, the logger, or the one that returns the key. `cause` is what it threw.
 * Whether the service did the work is not known; an operation is safe to run again with the same `idempotencyKey`.
 */
export class HookError extends TrustDirectoryError {
  override readonly name = 'HookError';
  /** Name of the option: `onRequest`, `onResponse`, `onRetry`, `onError`, `logger` or `apiKey`. */
  declare readonly hook: string;
  /** What the call itself had failed with, if `onError` is the function that failed; else undefined. */
  declare readonly failure: unknown;
}

/**
 * No answer came: the service couldn't be reached or the connection broke. Whether the service did the work is not
 * known; an operation is safe to run again with the same `idempotencyKey`.
 */
export class ConnectionError extends TrustDirectoryError {
  override readonly name = 'ConnectionError';
  /** What the runtime calls it, such as `ECONNREFUSED`; empty where it has no word for it. */
  declare readonly code: string;
}

/**
 * `timeoutMs` passed without a final answer. Whether the service did the work is not known; an operation is safe to run
 * again with the same `idempotencyKey`.
 */
export class TimeoutError extends TrustDirectoryError {
  override readonly name = 'TimeoutError';
}

/** The caller's `signal` ended the call; `cause` is its reason. Whether the service did the work is not known. */
export class AbortError extends TrustDirectoryError {
  override readonly name = 'AbortError';
}
