import { DomainError } from '../../platform/errors/domain-error.ts';

/**
 * `denied`: the person declined at the provider. `refused`: the callback does not prove who the person is.
 * `unavailable`: the provider does not work.
 */
export type SignInFailureKind = 'denied' | 'refused' | 'unavailable';

/** Lifetime of an attempt, in minutes. */
export const ATTEMPT_MINUTES = 10;
const RETRY_SECONDS = 30;

const MESSAGES = {
  denied: {
    code: 'forbidden',
    message:
      'The sign-in was cancelled at the provider. Nothing has changed; you can sign in again at any time.',
  },
  refused: {
    code: 'invalid_request',
    message: `This sign-in was not started in this browser, was already used, or is older than ${ATTEMPT_MINUTES} minutes. Sign in again from here.`,
  },
  unavailable: {
    code: 'unavailable',
    message:
      'The sign-in provider is unreachable or returned an invalid answer. Try again in a moment; if the problem continues, contact the operator of this directory.',
    details: { retryAfterSeconds: RETRY_SECONDS },
  },
} as const;

/**
 * A failed sign-in. The person sees the message of its kind; `reason` is a code for the operator's log, without
 * provider data.
 */
export class SignInFailure extends DomainError {
  override readonly name = 'SignInFailure';
  readonly kind: SignInFailureKind;
  readonly reason: string;
  /** Local path to open afterwards; null if unknown. */
  readonly nextPath: string | null;

  constructor(kind: SignInFailureKind, reason: string, options: ErrorOptions & { nextPath?: string } = {}) {
    const { code, message, ...extra } = MESSAGES[kind];
    const level = kind === 'unavailable' ? 'warn' : 'info';
    const logged = { level, fields: { kind, reason }, message: 'sign-in failed' } as const;
    super(code, message, { ...('details' in extra && extra.details), logged });
    this.cause = options.cause;
    this.kind = kind;
    this.reason = reason;
    this.nextPath = options.nextPath ?? null;
  }
}
