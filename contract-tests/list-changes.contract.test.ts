import { expect, it } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { readAnswers } from './read-answers.ts';

const PATH = '/api/changes';
const from = (cursor: string, more: object = {}) => ({ params: { query: { cursor, ...more } } });

describeOperation('listChanges', (operation) => {
  const { target, given, answers } = operation;

  answers(200, () => {
    it('with the changes after the cursor, and a cursor for the rest', async () => {
      const { client, cursor } = await given('changes on several pages');

      const { data } = await client.GET(PATH, from(cursor, { limit: 3 }));

      expect(data?.data).toHaveLength(3);
      expect(data?.nextCursor).toBe(data?.cursor);
      expect(data?.cursor).not.toBe(cursor);
    });

    it('with the record of a listing, and nothing else of it', async () => {
      const { client, cursor } = await given('changes on several pages');

      const { data } = await client.GET(PATH, from(cursor));

      const listed = data?.data.find(({ agent }) => agent !== null);
      expect(listed).toMatchObject({
        agent: { id: listed?.agent_id, type: listed?.type },
        ...{ removed: false, subject: null, advisory: null, standing: null },
      });
    });

    it('with ids and date only of a removed listing', async () => {
      const { client, cursor, id } = await given('a removed listing');

      const { data } = await client.GET(PATH, from(cursor));

      expect(data?.data.find(({ agent_id }) => agent_id === id)).toMatchObject({
        ...{ kinds: expect.arrayContaining(['removal']), removed: true, agent: null, subject: null },
      });
    });

    it('with the present state, and a cursor for the rest, at the start of a snapshot', async () => {
      const { client } = await given('changes on several pages');

      const { data } = await client.GET(PATH, { params: { query: { snapshot: true, limit: 3 } } });

      expect(data?.data).toHaveLength(3);
      expect(data?.nextCursor).toBe(data?.cursor);
      if (target === 'server') expect(data?.data.filter(({ removed }) => removed)).toEqual([]);
    });

    it('with nothing, and the cursor to continue from, where nothing has changed', async () => {
      const { client, cursor } = await given('nothing new');

      const { data } = await client.GET(PATH, from(cursor));

      expect(data).toEqual({ data: [], nextCursor: null, cursor });
    });

    it('with those that the filters let through, since a time', async () => {
      const { client } = await given('changes on several pages');

      const query = { kinds: 'listing,removal', type: 'creator', since: '2999-01-01T00:00:00Z' } as const;
      const { data } = await client.GET(PATH, { params: { query } });

      // The mock does not filter.
      if (target === 'server') expect(data?.data).toEqual([]);
    });
  });

  answers(304, () => {
    it('where nothing changed since the answer that the client holds', async () => {
      const { client, cursor, etag } = await given('changes that the client holds');

      const { response } = await client.GET(PATH, { ...from(cursor), headers: { 'If-None-Match': etag } });

      expect(response.headers.get('etag')).toBe(etag);
    });
  });

  answers(400, () => {
    it.each([
      ['a limit of 0', { limit: 0 }],
      ['a limit of 101', { limit: 101 }],
      ['an unknown kind', { kinds: 'score,price' }],
      ['kinds with spaces', { kinds: 'score, verdict' }],
      ['an unknown type', { type: 'robot' }],
      ['a day', { since: '2026-11-20' }],
      ['a snapshot that is neither true nor false', { snapshot: 'all' }],
      ['a cursor with other characters', { cursor: 'a.b' }],
    ])('to %s', async (_name, query) => {
      const { client } = await given('nothing new');

      const { error } = await client.GET(PATH, { params: { query } as never });

      expect(error).toMatchObject({ error: 'invalid_request', status: 400 });
    });

    it('to a cursor that is none of the feed', async () => {
      const { client, cursor } = await given('a cursor of another feed');

      const { error } = await client.GET(PATH, from(cursor));

      expect(error).toMatchObject({ error: 'invalid_request', message: expect.stringContaining('cursor') });
    });
  });

  answers(410, () => {
    it('with a snapshot and a cursor to start from', async () => {
      const { client, cursor } = await given('a cursor whose changes are no longer kept');

      const { error } = await client.GET(PATH, from(cursor));

      expect(error).toMatchObject({
        ...{ error: 'cursor_expired', status: 410, snapshot: '/api/changes?snapshot=true&limit=100' },
        cursor: expect.stringMatching(/^[A-Za-z0-9_-]+$/),
      });
    });
  });

  readAnswers(operation, (client) => client.GET(PATH));
});
