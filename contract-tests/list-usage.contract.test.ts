import { expect, it } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import type { ApiClient } from './targets/states.ts';
import { usageAnswers } from './usage-answers.ts';

const PATH = '/api/console/usage';
const read = (client: ApiClient, query: object = {}) =>
  client.GET(PATH, { params: { query: query as never } });

describeOperation('listUsage', (operation) => {
  const { target, given, answers } = operation;

  answers(200, () => {
    it('with what the calls of a day came to, by operation, key and source', async () => {
      const { client, id, day } = await given('usage of a key');

      const { data } = await read(client, { api_key_id: id, from: day, to: day });

      expect(data?.data[0]).toMatchObject({ day, operation: 'agent_score', api_key_id: id });
      if (target === 'server') {
        const row = {
          charge_source: 'free',
          unit: 'call',
          settled_calls: 1,
          failed_calls: 0,
          held_calls: 0,
          used: 1,
          held: 0,
        };
        expect(data).toMatchObject({ data: [row], nextCursor: null });
      }
    });

    it('with those only that the filter lets through', async () => {
      const { client } = await given('usage of a key');

      const { data } = await read(client, { source: 'overage', operation: 'skill_score' });

      // The mock does not filter.
      if (target === 'server') expect(data).toEqual({ data: [], nextCursor: null });
    });

    it('in pages', async () => {
      const { client } = await given('usage on several pages');

      const { data } = await read(client, { limit: 1 });
      const next = await read(client, { limit: 1, cursor: data?.nextCursor });

      expect(data?.data).toHaveLength(1);
      expect(data?.nextCursor).not.toBeNull();
      // The mock returns the same page for every cursor.
      if (target === 'server') {
        expect(next.data?.nextCursor).toBeNull();
        expect(next.data?.data[0]?.operation).not.toBe(data?.data[0]?.operation);
      }
    });

    it('with nothing where no call was made', async () => {
      const { client } = await given('an account without usage');

      expect((await read(client)).data).toEqual({ data: [], nextCursor: null });
    });
  });

  usageAnswers(operation, read, () => {
    it('to a cursor of another list', async () => {
      const { client } = await given('a cursor of another list of usage');

      const { error } = await read(client, { cursor: 'W10' });

      expect(error).toMatchObject({ error: 'invalid_request', message: expect.stringContaining('cursor') });
    });
  });
});
