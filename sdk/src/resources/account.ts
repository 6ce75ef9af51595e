import type { BodyOf } from '../contract/endpoint-types.ts';
import type { AccountBalance, ConsoleSession, EndedSessions } from '../contract/models.ts';
import type { ApiPromise, Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/client-options.ts';

/** Enables overage, up to `cap` credits a month (by default the plan's maximum), or disables it. */
export type OverageBody = BodyOf<'put', '/api/console/overage'>;

/** Methods for your account: session, balance, overage and creator handle. */
export interface Account {
  /**
   * Reads the session: signed-in account and expiry.
   *
   * @example
   * const { account, expires_at } = await consoleOf(client).account.session();
   */
  session(options?: CallOptions): ApiPromise<ConsoleSession>;
  /**
   * Ends the session of this client.
   *
   * @example
   * await consoleOf(client).account.signOut();
   */
  signOut(options?: CallOptions): ApiPromise<undefined>;
  /**
   * Ends all sessions of the account, including this one. Access keys stay valid.
   *
   * @example
   * const { ended } = await consoleOf(client).account.signOutEverywhere();
   */
  signOutEverywhere(options?: CallOptions): ApiPromise<EndedSessions>;
  /**
   * Reads plan, prices and balances.
   *
   * @example
   * const { plan, buckets } = await consoleOf(client).account.balance();
   * for (const { charge_source, left, unit } of buckets) console.log(plan, charge_source, left, unit);
   */
  balance(options?: CallOptions): ApiPromise<AccountBalance>;
  /**
   * Enables or disables overage immediately. Rejects with a `BadRequestError` if the plan has none, and with a
   * `ForbiddenError` (`sign_in_again`) in a session older than 15 minutes.
   *
   * @example
   * const { overage } = await consoleOf(client).account.setOverage({ enabled: true, cap: 500 });
   */
  setOverage(body: OverageBody, options?: CallOptions): ApiPromise<AccountBalance>;
  /**
   * Sets the creator handle. Rejects with a `ConflictError` if it is taken and you haven't verified it as yours, and
   * with a `ForbiddenError` (`sign_in_again`) in a session older than 15 minutes.
   *
   * @example
   * const { account } = await consoleOf(client).account.setHandle('example-labs');
   */
  setHandle(handle: string, options?: CallOptions): ApiPromise<ConsoleSession>;
}

/** Creates the methods for a client. */
export const accountOf = (call: Call): Account => ({
  session: (options) => call('get', '/api/console/session', 'account', {}, options),
  signOut: (options) => call('delete', '/api/console/session', '', {}, options),
  signOutEverywhere: (options) => call('delete', '/api/console/sessions', '', {}, options),
  balance: (options) => call('get', '/api/console/balance', 'buckets', {}, options),
  setOverage: (body, options) => call('put', '/api/console/overage', 'buckets', { body }, options),
  setHandle: (handle, options) =>
    call('put', '/api/console/handle', 'account', { body: { handle } }, options),
});
