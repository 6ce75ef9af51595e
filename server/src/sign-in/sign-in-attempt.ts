import { createHmac, randomBytes } from 'node:crypto';
import { hashSecret, isSameSecret } from '../callers/secret.ts';
import type { Connection } from '../database/connect.ts';
import type { AttemptSecrets, ProviderName } from './identity-provider.ts';
import { deleteAttempt, insertAttempt } from './sign-in-attempt.repository.ts';
import { ATTEMPT_MINUTES, SignInFailure } from './sign-in-failure.ts';

const TOKEN_BYTES = 32;

/** A new attempt's token: the browser keeps it, and everything else that the attempt needs is made from it. */
export function newAttemptToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/**
 * What the attempt of this token sends to the provider and expects back. Somebody who sees one of the three learns neither
 * the token nor the others.
 */
export function attemptSecrets(token: string): AttemptSecrets {
  const derive = (purpose: string) => createHmac('sha256', token).update(purpose).digest('base64url');
  return { state: derive('state'), nonce: derive('nonce'), codeVerifier: derive('code verifier') };
}

/** Notes that a browser sets out to a provider, and where its person wants to be afterwards: a path of our own. */
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
 * Takes an attempt, once: of any number who come back with it, one does, within ten minutes and from the provider that it
 * set out to. A `state` that is not this browser's own leaves it as it is, for it says nothing of the person. Throws a
 * SignInFailure, `refused`, which knows where the person wanted to be as long as the attempt is kept.
 */
export async function takeAttempt(
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
