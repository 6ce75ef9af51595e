import type { IdentityProfile } from '../contract/models.ts';
import type { ApiPromise, Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/settings.ts';

/** Creators. Reads need no key; they are repeated and reject as those of `agents` do. */
export interface Identities {
  /**
   * A creator's profile by handle, with or without an `@` before it, or by `host:handle` where two hosts have the same one.
   * Rejects with a `NotFoundError` if nobody has this handle.
   *
   * @example
   * const { displayName, trustScore } = await client.identities.get('google-gemini');
   */
  get(handle: string, options?: CallOptions): ApiPromise<IdentityProfile>;
}

/** Binds them to a client. */
export const identitiesOf = (call: Call): Identities => ({
  get: (handle, options) => call('get', '/api/identity/{handle}', 'handle', { path: handle }, options),
});
