import { expect, it } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { readAnswers } from './read-answers.ts';

const PATH = '/api/subjects/{canonical_id}/history';
const ANY_ID = 'b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88';
const by = (id: string, query = {}) => ({ params: { path: { canonical_id: id }, query } });

describeOperation('listScoreHistory', (operation) => {
  const { given, answers } = operation;

  answers(200, () => {
    it('with every score once, newest first, over all pages', async () => {
      const { client, id } = await given('scores on several pages');
      const times: string[] = [];
      let cursor: string | null | undefined;

      do {
        const { data } = await client.GET(PATH, by(id, { limit: 2, ...(cursor && { cursor }) }));
        times.push(...(data?.data.map(({ score_version }) => score_version) ?? []));
        cursor = data?.nextCursor;
      } while (cursor);

      expect(times).toHaveLength(3);
      expect(times).toEqual([...new Set(times)].sort().reverse());
    });

    it('with method, tier and both figures of each score', async () => {
      const { client, id } = await given('scores on several pages');

      const { data } = await client.GET(PATH, by(id));

      expect(data?.data.map(({ method_version }) => method_version)).toEqual([
        'rs-2.0.0',
        'rs-2.0.0',
        'rs-1.0.0',
      ]);
      expect(data?.data[0]).toMatchObject({ trustScore: expect.any(Number), source: 'embedded' });
    });

    it('with nothing where there is no confirmed score', async () => {
      const { client, id } = await given('a subject without a score in its history');

      const { data } = await client.GET(PATH, by(id));

      expect(data).toEqual({ data: [], nextCursor: null });
    });
  });

  answers(304, () => {
    it('where nothing changed since the answer that the client holds', async () => {
      const { client, id, etag } = await given('a history that the client holds');

      const { response } = await client.GET(PATH, { ...by(id), headers: { 'If-None-Match': etag } });

      expect(response.headers.get('etag')).toBe(etag);
    });
  });

  answers(400, () => {
    it.each([
      ['AGT-7K2MQ9XD', {}],
      [ANY_ID, { limit: 0 }],
      [ANY_ID, { limit: 101 }],
      [ANY_ID, { cursor: '!' }],
      [ANY_ID, { offset: 2 }],
    ])('to %s with %j', async (id, query) => {
      const { client } = await given('scores on several pages');

      const { error } = await client.GET(PATH, by(id, query));

      expect(error).toMatchObject({ error: 'invalid_request', status: 400 });
    });

    it('to a cursor of another subject', async () => {
      const { client, id, cursor } = await given('a cursor of another history');

      const { error } = await client.GET(PATH, by(id, { cursor }));

      expect(error).toMatchObject({ message: expect.stringContaining('does not belong to this list') });
    });
  });

  answers(404, () => {
    it('to an id that nobody has', async () => {
      const { client, id } = await given('a canonical id that nobody has');

      const { error } = await client.GET(PATH, by(id));

      expect(error).toMatchObject({ error: 'not_found', status: 404 });
    });
  });

  answers(410, () => {
    it('that says why, to a subject that was delisted', async () => {
      const { client, id } = await given('a subject that was delisted');

      const { error } = await client.GET(PATH, by(id));

      expect(error).toMatchObject({ error: 'gone', status: 410 });
    });
  });

  readAnswers(operation, (client) => client.GET(PATH, by(ANY_ID)));
});
