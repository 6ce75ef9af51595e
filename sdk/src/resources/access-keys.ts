import type { AccessKey, AccessKeyPage, CreatedAccessKey } from '../contract/models.ts';
import type { BodyOf, QueryOf } from '../contract/wire.ts';
import type { ApiPromise, Call } from '../transport/call.ts';
import { type PagePromise, paged } from '../transport/pages.ts';
import type { CallOptions } from '../transport/settings.ts';

/** Filter and page of a list of keys. `undefined` counts as left out. */
export type AccessKeyQuery = QueryOf<'get', '/api/console/keys'>;
/** A key with `scopes` of its own, or one that replaces another: `replaces_key_id`. */
export type CreateKeyBody = BodyOf<'post', '/api/console/keys'>;

/** The access keys of your account. */
export interface AccessKeys {
  /**
   * One page, newest first, when awaited. Iterated, every key from there on.
   *
   * @example
   * for await (const { name, last_four } of consoleOf(client).keys.list({ state: 'active' })) console.log(name, last_four);
   */
  list(query?: AccessKeyQuery, options?: CallOptions): PagePromise<AccessKeyPage>;
  /**
   * Creates a key, or replaces one; its `secret` is in this answer and nowhere else. Rejects with a `ForbiddenError`
   * (`sign_in_again`) in a session older than 15 minutes, and with a `ConflictError` if no slot is free.
   *
   * @example
   * const { secret } = await consoleOf(client).keys.create({ name: 'nightly job', scopes: ['scores:read'] });
   */
  create(body: CreateKeyBody, options?: CallOptions): ApiPromise<CreatedAccessKey>;
  /**
   * Refuses its calls until it is resumed, and frees its slot.
   *
   * @example
   * await consoleOf(client).keys.pause('3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55');
   */
  pause(id: string, options?: CallOptions): ApiPromise<AccessKey>;
  /**
   * Lets a paused key work again. Rejects with a `ConflictError` if no slot is free.
   *
   * @example
   * await consoleOf(client).keys.resume('3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55');
   */
  resume(id: string, options?: CallOptions): ApiPromise<AccessKey>;
  /**
   * Refuses its calls from now on; it can't be resumed.
   *
   * @example
   * await consoleOf(client).keys.revoke('3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55');
   */
  revoke(id: string, options?: CallOptions): ApiPromise<AccessKey>;
}

/** Binds them to a client. */
export const accessKeysOf = (call: Call): AccessKeys => ({
  list: (query, options) =>
    paged((next) => call('get', '/api/console/keys', 'data', { query: { ...query, ...next } }, options)),
  create: (body, options) => call('post', '/api/console/keys', 'secret', { body }, options),
  pause: (id, options) => call('post', '/api/console/keys/{id}/pause', 'id', { path: id }, options),
  resume: (id, options) => call('post', '/api/console/keys/{id}/resume', 'id', { path: id }, options),
  revoke: (id, options) => call('delete', '/api/console/keys/{id}', 'id', { path: id }, options),
});
