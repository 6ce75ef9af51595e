import type { PathWith, SuccessBody } from '../contract/endpoint-types.ts';
import { TrustDirectoryError } from '../errors/errors.ts';
import type { ApiPromise, Call } from './call.ts';
import type { CallOptions } from './client-options.ts';

/** One page of a list. */
interface Page<Item> {
  data: Item[];
  nextCursor?: string | null;
}

/** Resolves to the first page; iterates over the items of this page and all later ones. */
export interface PagePromise<List extends Page<unknown>>
  extends ApiPromise<List>,
    AsyncIterable<List['data'][number]> {}

/** Paths of the contract whose answers are pages. */
type ListPath = {
  [Path in PathWith<'get'>]: SuccessBody<'get', Path> extends Page<unknown> ? Path : never;
}[PathWith<'get'>];

/** Calls an endpoint that answers pages, and makes its list iterable. The caller's types check the query. */
export const listPages = <Path extends ListPath>(
  call: Call,
  path: Path,
  query?: object,
  options?: CallOptions,
) =>
  paginate((next) => {
    const read = call as (...input: unknown[]) => ApiPromise<SuccessBody<'get', Path> & Page<unknown>>;
    return read('get', path, 'data', { query: { ...query, ...next } }, options);
  });

/** Makes a list iterable. Fetches pages on demand. Throws if a cursor repeats, which would loop endlessly. */
export function paginate<List extends Page<unknown>>(
  read: (next?: { cursor: string; offset: undefined }) => ApiPromise<List>,
): PagePromise<List> {
  const first = read();
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      const seen = new Set<string>();
      for (let page = first; ; ) {
        const { data, response, ...trace } = await page.withResponse();
        yield* data.data;
        const cursor = data.nextCursor;
        if (!cursor) return;
        if (seen.has(cursor)) throw new TrustDirectoryError(`Cursor ${cursor} repeats.`, trace);
        seen.add(cursor);
        page = read({ cursor, offset: undefined });
      }
    },
  });
}
