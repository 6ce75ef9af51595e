import { createHmac, randomBytes } from 'node:crypto';
import type { Connection } from '../../platform/database/connect.ts';
import { hashSecret, isSameSecret } from '../../platform/http/credentials/secret.ts';
import type { AttemptSecrets, ProviderName } from './identity-provider.ts';
import { deleteAttempt, insertAttempt } from './sign-in.queries.ts';
import { ATTEMPT_MINUTES, SignInFailure } from './sign-in-failure.ts';

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
 * Deletes the attempt and returns its secrets and `nextPath`. Of several concurrent callers only one succeeds. The
 * attempt must be at most ten minutes old and belong to the same provider. A wrong `state` leaves it stored, because
 * anyone can send one. Throws SignInFailure `refused`. If the attempt was deleted because it had expired or belonged to
 * another provider, the failure carries its `nextPath`.
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
