import type { QueryOf } from '../contract/endpoint-types.ts';
import type { ChangePage } from '../contract/models.ts';
import type { Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/client-options.ts';
import { type PagePromise, paginate } from '../transport/pagination.ts';

/** Start, filters and page of a list of changes. Members that are `undefined` are omitted. */
export type ChangeQuery = QueryOf<'get', '/api/changes'>;

/** Methods that read the change feed, with which a mirror of the directory is kept. They are free and need no key. */
export interface Changes {
  /**
   * Resolves to one page of changes, oldest first; iterates over all that were published by now. Keep `cursor` of the last
   * page, and continue with it at any later time. Rejects with a `GoneError` (`cursor_expired`) if changes are missing; its
   * `body` is JSON with `snapshot` and `cursor` to start from.
   *
   * @example
   * const { data, cursor } = await changesOf(client).list({ since: '2026-11-20T00:00:00Z', kinds: 'verdict,removal' });
   */
  list(query?: ChangeQuery, options?: CallOptions): PagePromise<ChangePage>;
}

/** Creates the methods for a client. */
export const changeReadsOf = (call: Call): Changes => ({
  list: (query, options) =>
    paginate((next) => call('get', '/api/changes', 'data', { query: { ...query, ...next } }, options)),
});
