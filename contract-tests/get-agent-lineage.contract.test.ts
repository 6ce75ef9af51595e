import { expect, it } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { readAnswers } from './read-answers.ts';

const ANY_ID = 'AGT-7K2MQ9XD';
const PATH = '/api/agents/{id}/lineage';
const by = (id: string) => ({ params: { path: { id } } });

describeOperation('getAgentLineage', (operation) => {
  const { target, given, answers } = operation;

  answers(200, () => {
    it('with what derives from the entry', async () => {
      const { client, id } = await given('an agent with a descendant');

      const { data } = await client.GET(PATH, by(id));

      expect(data?.descendants[0]?.parentId).toBe(data?.root.id);
      expect(data?.depth).toBeGreaterThan(0);
      if (target === 'server') expect(data?.root.id).toBe(id);
    });

    it('with what the entry derives from', async () => {
      const { client, id } = await given('an agent with an ancestor');

      const { data } = await client.GET(PATH, by(id));

      expect(data?.ancestors[0]?.parentId).toBeNull();
      expect(data?.depth).toBeGreaterThan(0);
    });

    it('with empty lists where the entry stands alone', async () => {
      const { client, id } = await given('an agent without relatives');

      const { data } = await client.GET(PATH, by(id));

      expect(data).toMatchObject({ ancestors: [], descendants: [], depth: 0 });
    });
  });

  answers(304, () => {
    it('where nothing changed since the answer that the client holds', async () => {
      const { client, id, etag } = await given('a lineage that the client holds');

      const { response } = await client.GET(PATH, { ...by(id), headers: { 'If-None-Match': etag } });

      expect(response.headers.get('etag')).toBe(etag);
    });
  });

  answers(400, () => {
    it('to a malformed id', async () => {
      const { client } = await given('a directory of agents');

      const { error } = await client.GET(PATH, by('gemini-cli'));

      expect(error).toMatchObject({ error: 'invalid_request', status: 400 });
    });
  });

  answers(404, () => {
    it('to an id that nobody has', async () => {
      const { client, id } = await given('an id that nobody has');

      const { error } = await client.GET(PATH, by(id));

      expect(error).toMatchObject({ error: 'not_found', status: 404 });
    });
  });

  answers(410, () => {
    it('that says why, to an agent that was delisted', async () => {
      const { client, id } = await given('an agent that was delisted');

      const { error } = await client.GET(PATH, by(id));

      expect(error).toMatchObject({
        error: 'gone',
        message: expect.stringContaining('operator'),
        status: 410,
      });
    });
  });

  readAnswers(operation, (client) => client.GET(PATH, by(ANY_ID)));
});
