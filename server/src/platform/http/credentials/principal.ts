import { DomainError } from '../../errors/domain-error.ts';

/** Scopes that a key can have; `mcp:invoke` is reserved. A console session has all of them. */
export const KEY_SCOPES = ['scores:read', 'lineage:read', 'agents:register', 'balance:read'] as const;
export type Scope = (typeof KEY_SCOPES)[number];

/** Credential of a request before it is looked up: SHA-256 of an access key's secret or of a session's token. */
export interface Credential {
  readonly kind: 'key' | 'session';
  readonly hash: Buffer;
}

/**
 * Authenticated caller. Handlers and domain functions get this, never a token. Exactly one of `keyId` and `sessionId`
 * is set.
 */
export interface Principal {
  accountId: string;
  keyId: string | null;
  sessionId: string | null;
  scopes: readonly string[];
}

/** Errors for invalid credentials. They reveal nothing except the credential's own status. */
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
  /** Access key on an endpoint that requires a session. */
  keyNotTaken: () =>
    new DomainError(
      'unauthorized',
      'This endpoint does not accept access keys. Sign in at /sign-in, and send the session cookie.',
    ),
  notSignedIn: () => new DomainError('unauthorized', 'This endpoint needs a session. Sign in at /sign-in.'),
  sessionEnded: () => new DomainError('unauthorized', 'The session is unknown or has ended. Sign in again.'),
};

/** Status of a caller's credential and account. */
export interface CallerStatus {
  revoked: boolean;
  paused: boolean;
  expired: boolean;
  /** True for a session that was ended, was idle too long or has reached its maximum lifetime. */
  ended: boolean;
  /** True if the account is suspended or deleted. */
  suspended: boolean;
}

/** Throws a 401 error unless the caller's status is valid. A status of null means that the credential is unknown. */
export function requireValidCaller<Standing extends CallerStatus>(
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
