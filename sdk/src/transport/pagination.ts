import { ConfigurationError, TrustDirectoryError } from '../errors/errors.ts';
import { type Answer, type ApiPromise, apiPromise } from './call.ts';

/** One page of a list. */
interface Page<Item> {
  data: Item[];
  nextCursor?: string | null;
}

/** A page that can fetch the page after it. */
export type ListPage<List> = List & {
  /**
   * Fetches the next page with the same filters; resolves to null after the last one. The method is not enumerable, so
   * that copies and JSON of the page contain the fields of the contract only.
   *
   * @example
   * const first = await client.agents.list({ category: 'coding', limit: 100 });
   * const second = await first.next();
   */
  next(): Promise<ListPage<List> | null>;
};

/** Resolves to the requested page; iterates over the items of this page and of all following pages. */
export interface PagePromise<List extends Page<unknown>>
  extends ApiPromise<ListPage<List>>,
    AsyncIterable<List['data'][number]> {
  /**
   * Reads the first `limit` items, or all if there are fewer, and fetches only the pages that contain them. The limit
   * is required, so that memory stays bounded; without it, the call rejects with a `ConfigurationError`.
   *
   * @example
   * const agents = await client.agents.list({ category: 'coding', limit: 100 }).toArray({ limit: 500 });
   */
  toArray(options: { limit: number }): Promise<List['data'][number][]>;
}

/** Reads a page: the first one, or the one at a cursor. */
type ReadPage<List> = (next?: { cursor: string; offset: undefined }) => ApiPromise<List>;

/** Makes a list iterable. Fetches pages on demand. Rejects if a cursor repeats, because iterating would never end. */
export function paginate<List extends Page<unknown>>(read: ReadPage<List>): PagePromise<List> {
  /** Adds `next` to the page that `sent` resolves to. `cursors` are those that led from the first page to this one. */
  const withNext = (sent: ApiPromise<List>, cursors: readonly string[]): ApiPromise<ListPage<List>> =>
    apiPromise(
      sent.withResponse().then((answer) => {
        const { data, meta } = answer;
        const cursor = data.nextCursor as string;
        const next = async () => {
          if (cursors.includes(cursor)) throw new TrustDirectoryError(`Cursor ${cursor} repeats.`, meta);
          return cursor ? withNext(read({ cursor, offset: undefined }), [...cursors, cursor]) : null;
        };
        Object.defineProperty(data, 'next', { value: next });
        return answer as Answer<ListPage<List>>;
      }),
    );
  return Object.assign(withNext(read(), []), {
    async *[Symbol.asyncIterator](this: Promise<ListPage<List>>) {
      for (let page: ListPage<List> | null = await this; page; page = await page.next()) yield* page.data;
    },
    async toArray(this: AsyncIterable<List['data'][number]>, { limit }: { limit?: number } = {}) {
      if (!((limit as number) >= 1)) throw new ConfigurationError('limit must be a number from 1.');
      const items = [];
      for await (const item of this) if (items.push(item) >= (limit as number)) break;
      return items;
    },
  });
}
