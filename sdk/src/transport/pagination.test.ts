import { describe, expect, it } from 'vitest';
import { agent, KEY, page, receipt } from '../../test/samples.ts';
import { type Reply, standIn } from '../../test/stand-in.ts';
import { TrustDirectory } from '../client.ts';
import { TrustDirectoryError } from '../errors/errors.ts';

const entry = (name: string) => ({ ...agent, name });
const pageOf = (names: string[], nextCursor: string | null): Reply => ({
  body: { ...page, data: names.map(entry), total: 4, nextCursor },
});

/** Iterates over the replies and returns the names of all entries and the requested paths. */
async function iterated(...replies: Reply[]) {
  const server = await standIn(...replies);
  const client = new TrustDirectory({ baseUrl: server.url, maxRetries: 0 });
  const names: string[] = [];
  for await (const { name } of client.agents.list({ q: 'notes', offset: 10, limit: 2 })) names.push(name);
  return { names, paths: server.seen.map(({ path }) => path) };
}

describe('a list', () => {
  it('resolves to one page with one request', async () => {
    const server = await standIn(pageOf(['a', 'b'], 'next'));
    const list = new TrustDirectory({ baseUrl: server.url }).agents.list();

    expect(await list).toMatchObject({ total: 4, nextCursor: 'next' });
    expect(server.seen).toHaveLength(1);
  });

  it('iterates over all pages with the same filters and no offset', async () => {
    const { names, paths } = await iterated(
      pageOf(['a', 'b'], 'second'),
      pageOf([], 'third'),
      pageOf(['c'], null),
    );

    expect(names).toEqual(['a', 'b', 'c']);
    expect(paths).toEqual([
      '/api/agents?q=notes&offset=10&limit=2',
      '/api/agents?q=notes&limit=2&cursor=second',
      '/api/agents?q=notes&limit=2&cursor=third',
    ]);
  });

  it.each([[1], [10_000]])('iterates to the last page, whatever the lower bound (%d)', async (total) => {
    const body = { ...page, data: [agent], total, totalIsLowerBound: true };
    const server = await standIn({ body: { ...body, nextCursor: 'second' } }, { body });
    const read: string[] = [];

    for await (const { id } of new TrustDirectory({ baseUrl: server.url }).agents.list({ q: 'notes' }))
      read.push(id);

    expect(read).toEqual([agent.id, agent.id]);
    expect(server.seen).toHaveLength(2);
  });

  it.each([
    ['at once', [pageOf(['a'], 'same'), pageOf(['b'], 'same')], ['a', 'b'], 'same'],
    ['after a while', [pageOf(['a'], 'x'), pageOf(['b'], 'y'), pageOf(['c'], 'x')], ['a', 'b', 'c'], 'x'],
  ])(
    'with a repeated cursor (%s) throws after the received entries',
    async (_when, replies, names, cursor) => {
      const server = await standIn(...replies);
      const read: string[] = [];
      const iteration = async () => {
        for await (const { name } of new TrustDirectory({ baseUrl: server.url }).agents.list())
          read.push(name);
      };

      const error = await iteration().catch((reason) => reason);

      expect(error).toBeInstanceOf(TrustDirectoryError);
      expect(error).toMatchObject({ message: `Cursor ${cursor} repeats.`, attempts: 1 });
      expect(read).toEqual(names);
      expect(server.seen).toHaveLength(replies.length);
    },
  );

  it('requests a page only when its entries are needed', async () => {
    const server = await standIn(pageOf(['a', 'b'], 'second'));

    for await (const { name } of new TrustDirectory({ baseUrl: server.url }).agents.list()) {
      if (name === 'b') break;
    }

    expect(server.seen).toHaveLength(1);
  });

  it('throws the error of a later page in the iteration', async () => {
    const names: string[] = [];
    const server = await standIn(pageOf(['a'], 'second'), { status: 404 });

    const iteration = (async () => {
      for await (const { name } of new TrustDirectory({ baseUrl: server.url }).agents.list())
        names.push(name);
    })();

    await expect(iteration).rejects.toMatchObject({ status: 404 });
    expect(names).toEqual(['a']);
  });

  it('may be iterated twice, with one request for its first page', async () => {
    const server = await standIn(pageOf(['a'], null));
    const list = new TrustDirectory({ baseUrl: server.url }).agents.list();

    for (let round = 0; round < 2; round += 1) for await (const { name } of list) expect(name).toBe('a');

    expect(server.seen).toHaveLength(1);
  });

  it('leads from each page to the next one', async () => {
    const server = await standIn(pageOf(['a'], 'second'), pageOf(['b'], null));
    const list = new TrustDirectory({ baseUrl: server.url }).agents.list({ q: 'notes', offset: 10 });

    const first = await list;
    const second = await first.next();

    expect([second?.data[0]?.name, await second?.next()]).toEqual(['b', null]);
    expect(server.seen.map(({ path }) => path)).toEqual([
      '/api/agents?q=notes&offset=10',
      '/api/agents?q=notes&cursor=second',
    ]);
    expect(Object.keys(first)).toEqual(Object.keys({ ...page, nextCursor: 'second' }));
    expect((await list.withResponse()).data).toBe(first);
  });

  it('may fetch the page after one page twice, and throws only where a cursor leads back', async () => {
    const server = await standIn(
      pageOf(['a'], 'x'),
      pageOf(['b'], 'y'),
      pageOf(['b'], 'y'),
      pageOf(['c'], 'x'),
    );
    const first = await new TrustDirectory({ baseUrl: server.url }).agents.list();

    await first.next();
    const third = await (await first.next())?.next();

    expect(third?.data[0]?.name).toBe('c');
    await expect(third?.next()).rejects.toThrow('Cursor x repeats.');
    expect(server.seen).toHaveLength(4);
  });

  it.each([
    [1, ['a'], 1],
    [2, ['a', 'b'], 1],
    [3, ['a', 'b', 'c'], 2],
    [9, ['a', 'b', 'c', 'd'], 2],
  ])('is read into an array of at most %i with the fewest pages', async (limit, names, requests) => {
    const server = await standIn(pageOf(['a', 'b'], 'second'), pageOf(['c', 'd'], null));

    const items = await new TrustDirectory({ baseUrl: server.url }).agents.list().toArray({ limit });

    expect(items.map(({ name }) => name)).toEqual(names);
    expect(server.seen).toHaveLength(requests);
  });

  it.each([[undefined], [{}], [{ limit: 0 }], [{ limit: -1 }], [{ limit: Number.NaN }]])(
    'is not read into an array without a bound: %j',
    async (options) => {
      const server = await standIn(pageOf(['a'], null));
      const list = new TrustDirectory({ baseUrl: server.url }).agents.list();

      await expect(list.toArray(options as never)).rejects.toThrow(
        expect.objectContaining({
          name: 'ConfigurationError',
          message: 'limit must be a number from 1.',
        }),
      );
      await list;
    },
  );

  it('of receipts can be iterated too', async () => {
    const server = await standIn(
      { body: { data: [receipt], nextCursor: 'second' } },
      { body: { data: [{ ...receipt, attempt: 2 }], nextCursor: null } },
    );
    const client = new TrustDirectory({ baseUrl: server.url, apiKey: KEY });
    const attempts: number[] = [];

    for await (const { attempt } of client.receipts.list({ state: 'settled' })) attempts.push(attempt);

    expect(attempts).toEqual([1, 2]);
    expect(server.seen.map(({ path, authorization }) => [path, authorization])).toEqual([
      ['/api/receipts?state=settled', `Bearer ${KEY}`],
      ['/api/receipts?state=settled&cursor=second', `Bearer ${KEY}`],
    ]);
  });
});
