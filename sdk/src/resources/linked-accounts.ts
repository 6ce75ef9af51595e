import type { BodyOf } from '../contract/endpoint-types.ts';
import type { LinkedAccount, LinkedAccountList } from '../contract/models.ts';
import type { ApiPromise, Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/client-options.ts';

/** The account on another platform to link. */
export type LinkAccountBody = BodyOf<'post', '/api/console/linked-accounts'>;

/**
 * Methods that link your accounts on repository hosts, package registries and networks, and prove that they are yours.
 */
export interface LinkedAccounts {
  /**
   * Lists all linked accounts. Their `state` is `pending` until they are verified, then `proved`, and `lapsed` 60 days
   * after the last successful check.
   *
   * @example
   * const { data } = await consoleOf(client).linkedAccounts.list();
   * const proved = data.filter(({ state }) => state === 'proved');
   */
  list(options?: CallOptions): ApiPromise<LinkedAccountList>;
  /**
   * Starts linking: the response has a `code`, and says where to publish it within 24 hours. Calling it again replaces
   * the code. `link`, `verify` and `remove` reject with a `ForbiddenError` (`sign_in_again`) in a session older than 15
   * minutes.
   *
   * @example
   * const account = { kind: 'repo_host', host: 'github.com', handle: 'example-labs' } as const;
   * const { code, instructions } = await consoleOf(client).linkedAccounts.link(account);
   */
  link(body: LinkAccountBody, options?: CallOptions): ApiPromise<LinkedAccount>;
  /**
   * Looks for the published code. Rejects with a `ConflictError` if the code isn't found or has expired.
   *
   * @example
   * const { provedAt } = await consoleOf(client).linkedAccounts.verify('0f8b2c1e-6a54-4c1d-9b0e-2f6d7a3c5e91');
   */
  verify(id: string, options?: CallOptions): ApiPromise<LinkedAccount>;
  /**
   * Unlinks an account. Everything that its verification proved becomes unverified, and listings that came with the
   * account return to the texts, tags and creator of their last import. Listings that only you registered stay yours,
   * unverified.
   *
   * @example
   * await consoleOf(client).linkedAccounts.remove('0f8b2c1e-6a54-4c1d-9b0e-2f6d7a3c5e91');
   */
  remove(id: string, options?: CallOptions): ApiPromise<undefined>;
}

/** Creates the methods for a client. */
export const linkedAccountsOf = (call: Call): LinkedAccounts => ({
  list: (options) => call('get', '/api/console/linked-accounts', 'data', {}, options),
  link: (body, options) => call('post', '/api/console/linked-accounts', 'id', { body }, options),
  verify: (id, options) =>
    call('post', '/api/console/linked-accounts/{id}/verify', 'id', { path: id }, options),
  remove: (id, options) => call('delete', '/api/console/linked-accounts/{id}', '', { path: id }, options),
});
