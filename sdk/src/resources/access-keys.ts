import type { BodyOf, QueryOf } from '../contract/endpoint-types.ts';
import type { AccessKey, AccessKeyPage, CreatedAccessKey } from '../contract/models.ts';
import type { ApiPromise, Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/client-options.ts';
import { type PagePromise, paginate } from '../transport/pagination.ts';

/** Filter and page of a list of keys. Members that are `undefined` are omitted. */
export type AccessKeyQuery = QueryOf<'get', '/api/console/keys'>;
/** A new key with `scopes`, or a replacement for `replaces_key_id`. */
export type CreateKeyBody = BodyOf<'post', '/api/console/keys'>;
/** Monthly limits of a key; null for no limit. */
export type KeyLimitsBody = BodyOf<'put', '/api/console/keys/{id}/limits'>;

/** Methods that create, replace, pause and revoke the access keys of your account. */
export interface AccessKeys {
  /**
   * Resolves to one page, newest first. Iterating also reads all following pages.
   *
   * @example
   * for await (const { name, last_four } of consoleOf(client).keys.list({ state: 'active' })) console.log(name, last_four);
   */
  list(query?: AccessKeyQuery, options?: CallOptions): PagePromise<AccessKeyPage>;
  /**
   * Creates or replaces a key. Only this response contains its `secret`. Rejects with a `ForbiddenError`
   * (`sign_in_again`) in a session older than 15 minutes, and with a `ConflictError` if the plan allows no further
   * active key.
   *
   * @example
   * const { secret } = await consoleOf(client).keys.create({ name: 'nightly job', scopes: ['scores:read'] });
   */
  create(body: CreateKeyBody, options?: CallOptions): ApiPromise<CreatedAccessKey>;
  /**
   * Limits the calls and credits that a key may spend in a month.
   *
   * @example
   * const limits = { monthly_calls: 100, monthly_credits: null };
   * await consoleOf(client).keys.limit('3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55', limits);
   */
  limit(id: string, body: KeyLimitsBody, options?: CallOptions): ApiPromise<AccessKey>;
  /**
   * Pauses a key: its calls are refused until it is resumed. It does not count towards the plan's active keys.
   *
   * @example
   * await consoleOf(client).keys.pause('3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55');
   */
  pause(id: string, options?: CallOptions): ApiPromise<AccessKey>;
  /**
   * Resumes a paused key. Rejects with a `ConflictError` if the plan allows no further active key.
   *
   * @example
   * await consoleOf(client).keys.resume('3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55');
   */
  resume(id: string, options?: CallOptions): ApiPromise<AccessKey>;
  /**
   * Revokes a key permanently: its calls are refused, and it can't be resumed.
   *
   * @example
   * await consoleOf(client).keys.revoke('3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55');
   */
  revoke(id: string, options?: CallOptions): ApiPromise<AccessKey>;
}

/** Creates the methods for a client. */
export const accessKeysOf = (call: Call): AccessKeys => ({
  list: (query, options) =>
    paginate((next) => call('get', '/api/console/keys', 'data', { query: { ...query, ...next } }, options)),
  create: (body, options) => call('post', '/api/console/keys', 'secret', { body }, options),
  limit: (id, body, options) =>
    call('put', '/api/console/keys/{id}/limits', 'id', { path: id, body }, options),
  pause: (id, options) => call('post', '/api/console/keys/{id}/pause', 'id', { path: id }, options),
  resume: (id, options) => call('post', '/api/console/keys/{id}/resume', 'id', { path: id }, options),
  revoke: (id, options) => call('delete', '/api/console/keys/{id}', 'id', { path: id }, options),
});
