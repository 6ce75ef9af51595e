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

/** Makes a list iterable. Pages are read as they are needed; a cursor that repeats ends the list instead of going round. */
export function paged<List extends Page<unknown>>(
  read: (next?: { cursor: string; offset: undefined }) => ApiPromise<List>,
): PagePromise<List> {
  const first = read();
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      const seen = new Set<unknown>([null, undefined]);
      for (
        let page = await first;
        ;
        page = await read({ cursor: page.nextCursor as string, offset: undefined })
      ) {
        yield* page.data;
        if (seen.has(page.nextCursor)) return;
        seen.add(page.nextCursor);
      }
    },
  });
}
