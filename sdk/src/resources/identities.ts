import type { IdentityProfile } from '../contract/models.ts';
import type { ApiPromise, Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/client-options.ts';

/** Methods that read creators. They need no key; retries and errors are those of `agents`. */
export interface Identities {
  /**
   * Reads a creator's profile by handle, with or without a leading `@`. Use `host:handle` if two hosts have the same
   * handle. Rejects with a `NotFoundError` for an unknown handle.
   *
   * @example
   * const { displayName, trustScore } = await client.identities.get('google-gemini');
   */
  get(handle: string, options?: CallOptions): ApiPromise<IdentityProfile>;
}

/** Creates the methods for a client. */
export const identitiesOf = (call: Call): Identities => ({
  get: (handle, options) => call('get', '/api/identity/{handle}', 'handle', { path: handle }, options),
});
