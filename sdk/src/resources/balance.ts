import type { QueryOf } from '../contract/endpoint-types.ts';
import type { KeyBalance, UsagePage } from '../contract/models.ts';
import type { ApiPromise, Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/client-options.ts';
import { type PagePromise, paginate } from '../transport/pagination.ts';

/** Filter and page of an account's usage: `from` and `to` are days in UTC, inclusive. */
export type BalanceUsageQuery = QueryOf<'get', '/api/usage'>;

/**
 * Methods that read the remaining balances and the usage of an account. Both need a key with the scope `balance:read`.
 */
export interface Balances {
  /**
   * Reads plan and balances of the account, and the monthly limits of this key.
   *
   * @example
   * const { buckets, access_key } = await balanceOf(client).get();
   * const left = buckets.reduce((sum, bucket) => sum + bucket.left, 0);
   */
  get(options?: CallOptions): ApiPromise<KeyBalance>;
  /**
   * Resolves to one page of usage, latest day first. Iterating also reads all following pages.
   *
   * @example
   * for await (const { day, operation, used, unit } of balanceOf(client).usage({ from: '2026-11-01' })) {
   *   console.log(day, operation, used, unit);
   * }
   */
  usage(query?: BalanceUsageQuery, options?: CallOptions): PagePromise<UsagePage>;
}

/** Creates the methods for a client. */
export const balanceReadsOf = (call: Call): Balances => ({
  get: (options) => call('get', '/api/balance', 'buckets', {}, options),
  usage: (query, options) =>
    paginate((next) => call('get', '/api/usage', 'data', { query: { ...query, ...next } }, options)),
});
