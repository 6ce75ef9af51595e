import { expect, it } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { readAnswers } from './read-answers.ts';

describeOperation('listAgents', (operation) => {
  const { given, answers, target } = operation;

  answers(200, () => {
    it('with a page, its total and the way to the next one', async () => {
      const { client } = await given('a directory of agents');

      const { data, response } = await client.GET('/api/agents', { params: { query: { limit: 2 } } });

      expect(data?.data).toHaveLength(2);
      expect(data?.total).toBeGreaterThan(2);
      expect(data).toMatchObject({ offset: 0, limit: 2, nextCursor: expect.any(String) });
      expect(response.headers.get('link')).toContain('rel="next"');
      for (const { verdict, trustScore } of data?.data ?? [])
        expect(verdict === null).toBe(trustScore === null);
    });

    it('to every filter and sort that is documented', async () => {
      const { client } = await given('a directory of agents');
      const known = { q: 'agent', verified: false, tier: 'medium', category: 'coding' } as const;
      const filters = {
        ...known,
        type: 'skill',
        kind: 'mcp-server',
        license: 'MIT',
        tag: 'browser',
        verdict: 'warning',
      } as const;

      for (const sort of [
        'score_desc',
        'score_asc',
        'name',
        'stars',
        'updated',
        'newest',
        'relevance',
      ] as const) {
        const { response } = await client.GET('/api/agents', { params: { query: { ...filters, sort } } });

        expect(response.status).toBe(200);
      }
    });

    it('with what an entry is and what it is licensed under', async () => {
      const { client } = await given('a directory of agents');

      const { data } = await client.GET('/api/agents', { params: { query: { limit: 100 } } });

      expect(data?.data.some(({ kind }) => typeof kind === 'string')).toBe(true);
      expect(data?.data.some(({ license }) => typeof license === 'string')).toBe(true);
    });

    it('to the cursor of the page before', async () => {
      const { client } = await given('a directory of agents');
      const first = await client.GET('/api/agents', { params: { query: { limit: 2 } } });
      const cursor = first.data?.nextCursor ?? '';

      const second = await client.GET('/api/agents', { params: { query: { limit: 2, cursor } } });

      expect(second.data?.total).toBe(first.data?.total);
      expect(second.data?.data[0]?.id).not.toBe(first.data?.data[0]?.id);
    });

    it('to a search with few matches, with their exact total', async () => {
      const { client } = await given('a directory of agents');

      const { data } = await client.GET('/api/agents', {
        params: { query: { q: 'requests', limit: 100 } },
      });

      expect(data).toMatchObject({ totalIsLowerBound: false, ignoredWords: [] });
      expect(data?.data.length).toBeGreaterThan(2);
      expect(data?.total).toBe(data?.data.length);
    });

    it('to a loop over offsets, with every match once', async () => {
      const { client } = await given('a directory of agents');
      const ids: string[] = [];
      let total = 1;

      for (let offset = 0; offset < total; offset += 2) {
        const query = { q: 'requests', limit: 2, offset };
        const { data } = await client.GET('/api/agents', { params: { query } });
        ids.push(...(data?.data ?? []).map(({ id }) => id));
        total = data?.total ?? 0;
      }

      expect(ids.length).toBeGreaterThan(2);
      expect(new Set(ids).size).toBe(total);
      expect(ids).toHaveLength(total);
    });

    it('to a search, with the words that were not looked for', async () => {
      const { client, q } = await given('a search with a common word');

      const { data } = await client.GET('/api/agents', { params: { query: { q, sort: 'relevance' } } });

      expect(data?.ignoredWords).toEqual([{ word: 'the', reason: 'common' }]);
      expect(data?.data).not.toEqual([]);
      if (target === 'mock') expect(data).toMatchObject({ total: 10_000, totalIsLowerBound: true });
    });

    it('with an empty page where nothing matches, the entries that come nearest, and the words that no entry has', async () => {
      const { client, q } = await given('a search without a match');

      const { data, response } = await client.GET('/api/agents', { params: { query: { q } } });

      expect(data).toMatchObject({ data: [], total: 0, nextCursor: null });
      expect(data?.nearest?.length).toBeGreaterThan(0);
      expect(data?.ignoredWords).toEqual(q.split(' ').map((word) => ({ word, reason: 'unknown' })));
      expect(response.headers.get('link')).toBeNull();
    });
  });

  answers(304, () => {
    it('where nothing changed since the answer that the client holds', async () => {
      const { client, etag } = await given('a page that the client holds');

      const { response } = await client.GET('/api/agents', { headers: { 'If-None-Match': etag } });

      expect(response.headers.get('etag')).toBe(etag);
    });
  });

  answers(400, () => {
    it.each([
      { limit: 101 },
      { limit: 0 },
      { offset: -1 },
      { sort: 'age' as 'name' },
      { type: 'creator' as 'agent' },
      { kind: 'MCP server' },
      { license: '' },
      { tag: 't'.repeat(101) },
      { q: 'q'.repeat(201) },
    ])('to %j', async (query) => {
      const { client } = await given('a directory of agents');

      const { error } = await client.GET('/api/agents', { params: { query } });

      expect(error).toMatchObject({ error: 'invalid_request', status: 400 });
    });

    it('to a cursor that belongs to another list', async () => {
      const { client, cursor } = await given('a cursor of another list');

      const { error } = await client.GET('/api/agents', { params: { query: { cursor } } });

      expect(error?.message).toContain('cursor');
    });
  });

  readAnswers(operation, (client) => client.GET('/api/agents'));
});
