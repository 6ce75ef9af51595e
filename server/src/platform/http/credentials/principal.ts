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
