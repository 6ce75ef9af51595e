/** Scopes that a key can be given; `mcp:invoke` is reserved. A console session has all of them. */
export const KEY_SCOPES = ['scores:read', 'lineage:read', 'agents:register'] as const;
export type Scope = (typeof KEY_SCOPES)[number];

/** What a caller presented, not judged yet: an access key's secret or a session's token, as its SHA-256. */
export interface Credential {
  readonly kind: 'key' | 'session';
  readonly hash: Buffer;
}

/**
 * Who calls. Handlers and domain functions see this, never a token. Of `keyId` and `sessionId` exactly one is set.
 */
export interface Principal {
  accountId: string;
  keyId: string | null;
  sessionId: string | null;
  scopes: readonly string[];
}
