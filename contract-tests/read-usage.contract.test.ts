import { expect, it } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { receiptAnswers } from './read-answers.ts';
import type { ApiClient } from './targets/states.ts';

const PATH = '/api/usage';
const read = (client: ApiClient, query: object = {}) =>
  client.GET(PATH, { params: { query: query as never } });

describeOperation('readUsage', (operation) => {
  const { target, given, answers } = operation;

  answers(200, () => {
    it('with what the calls of the key came to', async () => {
      const { client, id } = await given('a key with a limit and a call');

      const { data } = await read(client, { api_key_id: id });

      expect(data?.data[0]).toMatchObject({ operation: 'agent_score', charge_source: expect.any(String) });
      if (target === 'server')
        expect(data?.data).toMatchObject([{ api_key_id: id, settled_calls: 1, used: 1 }]);
    });
  });

  answers(400, () => {
    it.each([{ operation: 'repo_score' }, { api_key_id: 'mine' }, { page: '2' }])('to %j', async (query) => {
      const { client } = await given('a key with a limit and a call');

      expect((await read(client, query)).error).toMatchObject({ error: 'invalid_request', status: 400 });
    });
  });

  answers(403, () => {
    it('to a key without the scope', async () => {
      const { client } = await given('a reader without the scope');

      expect((await read(client)).error).toMatchObject({ error: 'forbidden', status: 403 });
    });
  });

  receiptAnswers(operation, read);
});
