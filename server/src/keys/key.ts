import type { Scope } from '../callers/principal.ts';

/** An access key as its owner sees it, without its secret. Moments are ISO 8601 UTC. */
export interface KeyRecord {
  id: string;
  name: string;
  last_four: string;
  scopes: Scope[];
  state: 'active' | 'inactive' | 'expired' | 'revoked';
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
}
