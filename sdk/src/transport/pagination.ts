import { TrustDirectoryError } from '../errors/errors.ts';
import type { ApiPromise } from './call.ts';

/** One page of a list. */
interface Page<Item> {
  data: Item[];
  nextCursor?: string | null;
}

/** Resolves to the first page; iterates over the items of this page and all later ones. */
export interface PagePromise<List extends Page<unknown>>
  extends ApiPromise<List>,
    AsyncIterable<List['data'][number]> {}

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
