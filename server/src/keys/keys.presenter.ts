import type { AccessKey, AccessKeyPage } from '../generated/types.gen.ts';
import type { KeyRecord } from './key.ts';
import type { KeyPage } from './list-keys.ts';

/** A key under the wire's names; its secret is nobody's but its owner's. */
export function presentKey(key: KeyRecord): AccessKey {
  const { id, name, last_four, scopes, state, created_at, expires_at, last_used_at } = key;
  return { id, name, last_four, scopes, state, created_at, expires_at, last_used_at };
}

/** A page of keys under the wire's names. */
export function presentKeyPage({ keys, nextCursor, active, limit }: KeyPage): AccessKeyPage {
  return { data: keys.map(presentKey), nextCursor, active_keys: active, active_key_limit: limit };
}
