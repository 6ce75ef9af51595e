import { TrustDirectoryError } from '../errors/errors.ts';
import type { ApiPromise } from './call.ts';

/** One page of a list. */
interface Page<Item> {
  data: Item[];
  nextCursor?: string | null;
}

/** The first page when awaited; every item of this page and of those after it when iterated. */
export interface PagePromise<List extends Page<unknown>>
  extends ApiPromise<List>,
    AsyncIterable<List['data'][number]> {}

/** Makes a list iterable. Pages are read as they are needed; a cursor that repeats is an error, as it would go round. */
export function paged<List extends Page<unknown>>(
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
        if (cursor == null) return;
        if (seen.has(cursor)) throw new TrustDirectoryError(`The cursor ${cursor} came twice.`, trace);
        seen.add(cursor);
        page = read({ cursor, offset: undefined });
      }
    },
  });
}
