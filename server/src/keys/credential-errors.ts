import { DomainError } from '../domain-error.ts';

/** The four things a caller is told of a bad credential, and nothing more. */
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
};

/** A key's standing as read in the statement that does the work. */
export interface KeyStanding {
  revoked: boolean;
  paused: boolean;
  expired: boolean;
}

/** Throws the 401 that a key's standing calls for; null means no key has the presented secret. */
export function requireLivingKey<Standing extends KeyStanding>(
  standing: Standing | null,
): asserts standing is Standing {
  if (!standing) throw credentialError.unknown();
  if (standing.revoked) throw credentialError.revoked();
  if (standing.expired) throw credentialError.expired();
  if (standing.paused) throw credentialError.paused();
}
