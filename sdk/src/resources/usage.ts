import type { QueryOf } from '../contract/endpoint-types.ts';
import type { UsagePage } from '../contract/models.ts';
import type { ApiPromise, Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/client-options.ts';
import { type PagePromise, paginate } from '../transport/pagination.ts';

/** Filter of usage: `from` and `to` are days in UTC, inclusive. Members that are `undefined` are omitted. */
export type UsageFilter = QueryOf<'get', '/api/console/usage.csv'>;
/** Filter and page of usage. */
export type UsageQuery = QueryOf<'get', '/api/console/usage'>;

/** Methods that read the cost of your calls, one row per day, operation, access key and paying balance (such as `free`). */
export interface Usage {
  /**
   * Resolves to one page, latest day first. Iterating also reads all following pages. A short page isn't always the last
   * one.
   *
   * @example
   * for await (const { day, operation, used, unit } of consoleOf(client).usage.list({ from: '2026-11-01' })) {
   *   console.log(day, operation, used, unit);
   * }
   */
  list(query?: UsageQuery, options?: CallOptions): PagePromise<UsagePage>;
  /**
   * Reads all rows as a CSV text with a header line.
   *
   * @example
   * const file = await consoleOf(client).usage.csv({ from: '2026-11-01', to: '2026-11-30' });
   */
  csv(filter?: UsageFilter, options?: CallOptions): ApiPromise<string>;
}

/** Creates the methods for a client. */
export const usageOf = (call: Call): Usage => ({
  list: (query, options) =>
    paginate((next) => call('get', '/api/console/usage', 'data', { query: { ...query, ...next } }, options)),
  // Expects a string (it has `trim`): parsed JSON or an empty body is not a CSV file.
  csv: (filter, options) => call('get', '/api/console/usage.csv', 'trim', { query: filter }, options),
});
