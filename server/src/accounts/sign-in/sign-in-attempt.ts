import { createHmac, randomBytes } from 'node:crypto';
import type { Connection } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { hashSecret, isSameSecret } from '../../platform/http/credentials/secret.ts';
import type { AttemptSecrets, ProviderName } from './identity-provider.ts';
import { deleteAttempt, insertAttempt } from './sign-in.queries.ts';

/**
 * Kinds of failed sign-ins. `denied`: the person declined at the provider. `refused`: the callback does not prove who
 * the person is. `unavailable`: the provider does not work.
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
  /** Local path to open after the next sign-in; null if unknown. */
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

const TOKEN_BYTES = 32;

/** Creates an attempt's token. The browser stores it, and the attempt's secrets are derived from it. */
export function newAttemptToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Derives the secrets of an attempt. None of them reveals the token or the others. */
export function attemptSecrets(token: string): AttemptSecrets {
  const derive = (purpose: string) => createHmac('sha256', token).update(purpose).digest('base64url');
  return { state: derive('state'), nonce: derive('nonce'), codeVerifier: derive('code verifier') };
}

/** Stores an attempt: its provider, and the local path to open after the sign-in. */
export async function beginAttempt(
  connection: Connection,
  token: string,
  { provider, nextPath }: { provider: ProviderName; nextPath: string },
): Promise<void> {
  await insertAttempt(connection, {
    tokenHash: hashSecret(token),
    provider,
    nextPath,
    minutes: ATTEMPT_MINUTES,
  });
}

/**
 * Deletes the attempt and returns its secrets and `nextPath`. Of several concurrent callers only one succeeds. Throws
 * SignInFailure `refused` if `state` is wrong, or unless the attempt is at most ten minutes old and belongs to this
 * provider. A wrong `state` leaves the attempt stored, because anyone can send one. If the attempt was deleted because
 * it had expired or belonged to another provider, the failure carries its `nextPath`.
 */
export async function consumeAttempt(
  connection: Connection,
  { token, provider, state }: { token: string | null; provider: ProviderName; state: string | null },
): Promise<{ secrets: AttemptSecrets; nextPath: string }> {
  if (token === null) throw new SignInFailure('refused', 'no_attempt_in_this_browser');
  const secrets = attemptSecrets(token);
  if (!isSameSecret(secrets.state, state ?? ''))
    throw new SignInFailure('refused', 'state_of_another_attempt');
  const attempt = await deleteAttempt(connection, hashSecret(token));
  if (!attempt) throw new SignInFailure('refused', 'attempt_over');
  const { nextPath } = attempt;
  if (!attempt.isLiving) throw new SignInFailure('refused', 'attempt_over', { nextPath });
  if (attempt.provider !== provider) throw new SignInFailure('refused', 'another_provider', { nextPath });
  return { secrets, nextPath };
}
