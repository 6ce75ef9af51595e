import type { KeyRecord } from '../../keys/key.ts';

/** Derived from the clock, the pause and the revocation. */
export type KeyState = KeyRecord['state'];

/** The states of a key, those that still matter first. */
export const KEY_STATES: readonly KeyState[] = ['active', 'inactive', 'expired', 'revoked'];

/** What people call them. */
export const STATE_WORDS: Readonly<Record<KeyState, string>> = {
  active: 'active',
  inactive: 'paused',
  expired: 'expired',
  revoked: 'revoked',
};
