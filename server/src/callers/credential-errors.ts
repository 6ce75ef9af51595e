import { DomainError } from '../domain-error.ts';
import type { Credential } from './principal.ts';

/** What a caller is told of a bad credential, and nothing more. */
export const credentialError = {
  missing: () =>
    new DomainError(
      'unauthorized',
      'An access key is required: send it as "Authorization: Bearer svc_live_…".',
    ),
  unknown: () =>
    new DomainError('unauthorized', 'The access key is malformed or unknown. Check it, or create a new one.'),
  expired: () => new DomainError('key_expired', 'The access key has expired. Create a new one.'),
  revoked: () => new DomainError('key_revoked', 'The access key was revoked. Create a new one.'),
  paused: () => new DomainError('key_paused', 'The access key is paused. Its owner can resume it.'),
  suspended: () =>
    new DomainError('key_paused', 'The credential is inactive: its account is suspended. Ask the operator.'),
  /** A key where only a session will do. */
  keyNotTaken: () =>
    new DomainError(
      'unauthorized',
      'This endpoint does not accept access keys. Sign in at /sign-in, and send the session cookie.',
    ),
  notSignedIn: () => new DomainError('unauthorized', 'This endpoint needs a session. Sign in at /sign-in.'),
  sessionEnded: () => new DomainError('unauthorized', 'The session is unknown or has ended. Sign in again.'),
};

/** How the caller stands, as read in the statement that does the work. */
export interface CallerStanding {
  revoked: boolean;
  paused: boolean;
  expired: boolean;
  /** Of a session: ended, idle for too long or too old. */
  ended: boolean;
  /** The account was suspended or deleted. */
  suspended: boolean;
}

/** Throws the 401 that the caller's standing calls for; null means that nobody has the presented credential. */
export function requireLivingCaller<Standing extends CallerStanding>(
  kind: Credential['kind'],
  standing: Standing | null,
): asserts standing is Standing {
  if (!standing) throw kind === 'key' ? credentialError.unknown() : credentialError.sessionEnded();
  if (standing.ended) throw credentialError.sessionEnded();
  if (standing.revoked) throw credentialError.revoked();
  if (standing.expired) throw credentialError.expired();
  if (standing.suspended) throw credentialError.suspended();
  if (standing.paused) throw credentialError.paused();
}
