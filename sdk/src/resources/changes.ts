import type { QueryOf } from '../contract/endpoint-types.ts';
import type { ChangePage } from '../contract/models.ts';
import type { Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/client-options.ts';
import { type PagePromise, paginate } from '../transport/pagination.ts';

/** Start, filters and page of a list of changes. Members that are `undefined` are omitted. */
export type ChangeQuery = QueryOf<'get', '/api/changes'>;

/**
 * Methods that read the change feed, for example to keep a mirror of the directory up to date. They are free and need
 * no key.
 */
export interface Changes {
  /**
   * Resolves to one page of changes, oldest first. Iterating also reads all following pages, up to the newest published
   * change. Store the `cursor` of the last page to continue from there later. Rejects with a `GoneError`
   * (`cursor_expired`) if changes after the cursor are no longer available; its `body` is JSON with a `snapshot` and a
   * `cursor` from which to start again. With `snapshot: true`, the pages begin with the present state of everything, for a
   * copy of the directory.
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
