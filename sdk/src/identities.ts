import type { Call } from './call.ts';
import type { IdentityProfile } from './models.ts';
import { pathSegment } from './path-segment.ts';
import type { CallOptions } from './settings.ts';

/** Creators. Reads need no key; they are repeated and reject as those of `agents` do. */
export class Identities {
  readonly #call: Call;

  /** @internal Made by the client. */
  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * A creator's profile by handle, or by `host:handle` where two hosts have the same one. Rejects with a `NotFoundError`
   * for a handle that nobody bears.
   */
  async get(handle: string, options?: CallOptions): Promise<IdentityProfile> {
    const path = { handle: pathSegment(handle) };
    const answer = await this.#call(
      'read',
      'handle',
      (http, init) => http.GET('/api/identity/{handle}', { ...init, params: { path } }),
      options,
    );
    return answer.body;
  }
}
