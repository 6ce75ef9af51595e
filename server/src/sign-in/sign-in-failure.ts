import { DomainError } from '../domain-error.ts';

/** `denied`: the person said no. `refused`: what came back proves nothing. `unavailable`: the provider does not work. */
export type SignInFailureKind = 'denied' | 'refused' | 'unavailable';

/** For how long a person may be away at the provider. */
export const ATTEMPT_MINUTES = 10;
const RETRY_SECONDS = 30;

const TOLD = {
  denied: {
    code: 'forbidden',
    message:
      'You were not signed in there, or did not want to be. Nothing has changed; sign in whenever you like.',
  },
  refused: {
    code: 'invalid_request',
    message: `This sign-in was not begun in this browser, was ended before or is older than ${ATTEMPT_MINUTES} minutes. Sign in again from here.`,
  },
  unavailable: {
    code: 'unavailable',
    message:
      'The provider that you want to sign in with cannot be reached, or does not answer as it should. Try again in a moment; if it lasts, tell the operator of this directory.',
    details: { retryAfterSeconds: RETRY_SECONDS },
  },
} as const;

/**
 * A sign-in that came to nothing. The person is told what its kind means for them; `reason` is for the operator's log: a
 * code, and nothing of an answer.
 */
export class SignInFailure extends DomainError {
  override readonly name = 'SignInFailure';
  readonly kind: SignInFailureKind;
  readonly reason: string;
  /** Where the person wanted to be, a path of our own; null where that is not known. */
  readonly nextPath: string | null;

  constructor(kind: SignInFailureKind, reason: string, options: ErrorOptions & { nextPath?: string } = {}) {
    const { code, message, ...told } = TOLD[kind];
    const level = kind === 'unavailable' ? 'warn' : 'info';
    const logged = { level, fields: { kind, reason }, message: 'sign-in failed' } as const;
    super(code, message, { ...('details' in told && told.details), logged });
    this.cause = options.cause;
    this.kind = kind;
    this.reason = reason;
    this.nextPath = options.nextPath ?? null;
  }
}
