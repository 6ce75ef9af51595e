import type { UsagePage } from '../contract/models.ts';
import type { QueryOf } from '../contract/wire.ts';
import type { ApiPromise, Call } from '../transport/call.ts';
import { type PagePromise, paged } from '../transport/pages.ts';
import type { CallOptions } from '../transport/settings.ts';

/** Which calls: `from` and `to` are days in UTC, both included. `undefined` counts as left out. */
export type UsageFilter = QueryOf<'get', '/api/console/usage.csv'>;
/** The same, and which page. */
export type UsageQuery = QueryOf<'get', '/api/console/usage'>;

/** What your calls cost, per day, operation, key and balance. */
export interface Usage {
  /**
   * One page, latest day first, when awaited. Iterated, every row from there on; a short page isn't always the last one.
   *
   * @example
   * for await (const { day, operation, used, unit } of consoleOf(client).usage.list({ from: '2026-11-01' })) {
   *   console.log(day, operation, used, unit);
   * }
   */
  list(query?: UsageQuery, options?: CallOptions): PagePromise<UsagePage>;
  /**
   * All rows as the text of a CSV file, with a line of column names.
   *
   * @example
   * const file = await consoleOf(client).usage.csv({ from: '2026-11-01', to: '2026-11-30' });
   */
  csv(filter?: UsageFilter, options?: CallOptions): ApiPromise<string>;
}

/** Binds them to a client. */
export const usageOf = (call: Call): Usage => ({
  list: (query, options) =>
    paged((next) => call('get', '/api/console/usage', 'data', { query: { ...query, ...next } }, options)),
  // Only a text has it: an answer that is JSON, or empty, is not a file.
  csv: (filter, options) => call('get', '/api/console/usage.csv', 'trim', { query: filter }, options),
});
