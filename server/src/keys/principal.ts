/** Scopes that a key can be given; `mcp:invoke` is reserved. */
export const KEY_SCOPES = ['scores:read', 'lineage:read', 'agents:register'] as const;
export type Scope = (typeof KEY_SCOPES)[number];

/** Who calls. Handlers and domain functions see this, never a token. */
export interface Principal {
  accountId: string;
  keyId: string;
  scopes: readonly string[];
}
