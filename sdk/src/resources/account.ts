import type { AccountBalance, ConsoleSession, EndedSessions } from '../contract/models.ts';
import type { BodyOf } from '../contract/wire.ts';
import type { ApiPromise, Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/settings.ts';

/** Overage up to so many credits a month (without `cap`, the plan's whole cap), or none. */
export type OverageBody = BodyOf<'put', '/api/console/overage'>;

/** Your own account: who is signed in, what is left, and the name on your listings. */
export interface Account {
  /**
   * Who is signed in, and until when.
   *
   * @example
   * const { account, expires_at } = await consoleOf(client).account.session();
   */
  session(options?: CallOptions): ApiPromise<ConsoleSession>;
  /**
   * Ends this session.
   *
   * @example
   * await consoleOf(client).account.signOut();
   */
  signOut(options?: CallOptions): ApiPromise<undefined>;
  /**
   * Ends all sessions of the account, this one too. Access keys keep working.
   *
   * @example
   * const { ended } = await consoleOf(client).account.signOutEverywhere();
   */
  signOutEverywhere(options?: CallOptions): ApiPromise<EndedSessions>;
  /**
   * Plan, prices, and what is left of each source.
   *
   * @example
   * const { plan, buckets } = await consoleOf(client).account.balance();
   * for (const { charge_source, left, unit } of buckets) console.log(plan, charge_source, left, unit);
   */
  balance(options?: CallOptions): ApiPromise<AccountBalance>;
  /**
   * Opts in to overage, or out of it, at once. Rejects with a `BadRequestError` if the plan has none, and with a
   * `ForbiddenError` (`sign_in_again`) in a session older than 15 minutes.
   *
   * @example
   * const { overage } = await consoleOf(client).account.setOverage({ enabled: true, cap: 500 });
   */
  setOverage(body: OverageBody, options?: CallOptions): ApiPromise<AccountBalance>;
  /**
   * Chooses the creator handle. Rejects with a `ConflictError` if it is taken and you haven't proved that it is yours, and
   * with a `ForbiddenError` (`sign_in_again`) in a session older than 15 minutes.
   *
   * @example
   * const { account } = await consoleOf(client).account.setHandle('example-labs');
   */
  setHandle(handle: string, options?: CallOptions): ApiPromise<ConsoleSession>;
}

/** Binds them to a client. */
export const accountOf = (call: Call): Account => ({
  session: (options) => call('get', '/api/console/session', 'account', {}, options),
  signOut: (options) => call('delete', '/api/console/session', '', {}, options),
  signOutEverywhere: (options) => call('delete', '/api/console/sessions', '', {}, options),
  balance: (options) => call('get', '/api/console/balance', 'buckets', {}, options),
  setOverage: (body, options) => call('put', '/api/console/overage', 'buckets', { body }, options),
  setHandle: (handle, options) =>
    call('put', '/api/console/handle', 'account', { body: { handle } }, options),
});
