/** Facts about a call: `meta` of a result, and members of every error. */
export interface CallTrace {
  /** Number of attempts that have begun to send a request; 0 if the call ended before the first one. */
  readonly attempts: number;
  /**
   * Idempotency key of an operation or registration. Repeating the call with it is safe: the service executes the call
   * at most once. Null on other calls.
   */
  readonly idempotencyKey: string | null;
  /** `X-Request-Id` of the last response, for support; null without one. */
  readonly requestId: string | null;
  /** Milliseconds since the call began: until now for a running call, until the end for a result or error. */
  readonly elapsedMs: number;
}

/** Mutable trace of a running call. */
export type Trace = { -readonly [Name in keyof CallTrace]: CallTrace[Name] };

/** Creates the trace of a call that begins now. */
export const startTrace = (idempotencyKey: string | null = null): Trace => {
  const startedAt = performance.now();
  return {
    attempts: 0,
    idempotencyKey,
    requestId: null,
    // Spreading the trace into errors and results copies the current value.
    get elapsedMs() {
      return performance.now() - startedAt;
    },
  };
};

/** Marks the errors of every copy of this package, such as its ESM and its CommonJS build in one program. */
export const BRAND: unique symbol = Symbol.for('trust-directory-sdk');

/**
 * Base class of all errors of this package. The package never puts the access key into them, but the `cause` of a
 * `HookError` or `AbortError` comes from your own code.
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

  /** Assigns `details` to the error: the members that its class declares, and `cause`. */
  constructor(message: string, details?: object) {
    super(message, details);
    Object.assign(this, startTrace(), details);
  }

  /** @internal Marks errors of every copy of this package; as a method, it is not printed with an error. */
  [BRAND](): void {}
}

/**
 * Thrown for an invalid option, id or request, and if the key would be sent unencrypted. The call was not sent.
 * `verifyScore` also throws it in a runtime without Ed25519.
 */
export class ConfigurationError extends TrustDirectoryError {
  override readonly name = 'ConfigurationError';
}

/**
 * Thrown if a function that you passed to the client fails: `apiKey` or a hook, also one of `logTo`. `cause` is what it
 * threw. The service may have executed the call; an operation is safe to run again with the same `idempotencyKey`.
 */
export class HookError extends TrustDirectoryError {
  override readonly name = 'HookError';
  /** Name of the function: `onRequest`, `onResponse`, `onRetry`, `onError` or `apiKey`. */
  declare readonly hook: string;
  /** Original error of the call if `onError` failed; otherwise undefined. */
  declare readonly failure: unknown;
}

/**
 * Thrown if the service can't be reached or the connection breaks. The outcome on the service is unknown; an operation
 * is safe to run again with the same `idempotencyKey`.
 */
export class ConnectionError extends TrustDirectoryError {
  override readonly name = 'ConnectionError';
  /** Error code of the runtime, such as `ECONNREFUSED`; empty if it has none. */
  declare readonly code: string;
}

/**
 * Thrown if `timeoutMs` passes without a final response. The outcome on the service is unknown; an operation is safe to
 * run again with the same `idempotencyKey`.
 */
export class TimeoutError extends TrustDirectoryError {
  override readonly name = 'TimeoutError';
}

/**
 * Thrown if the caller's `signal` aborts the call; `cause` is the reason of the signal. If `attempts` is not 0, the
 * outcome on the service is unknown.
 */
export class AbortError extends TrustDirectoryError {
  override readonly name = 'AbortError';
}

/**
 * Returns message and code of the innermost `cause`, because `fetch` wraps network errors in "fetch failed". Returns
 * strings and no objects: an error of a custom fetch may hold the request, and with it the key. The depth limit ends
 * circular causes.
 */
export function rootCauseOf(failure: unknown, depth = 5): [message: string, code: string] {
  const { message, code = '', cause } = Object(failure);
  if (cause && depth) return rootCauseOf(cause, depth - 1);
  return [`${message || code || failure}`, `${code}`];
}
