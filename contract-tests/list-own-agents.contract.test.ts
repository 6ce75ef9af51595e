import { expect, it } from 'vitest';
import { consoleAnswers } from './console-answers.ts';
import { describeOperation } from './describe-operation.ts';

const PATH = '/api/console/agents';

describeOperation('listOwnAgents', (operation) => {
  const { target, given, answers } = operation;

  answers(200, () => {
    it('with the newest first, and a cursor for the rest', async () => {
      const { client, id } = await given('agents of one’s own on several pages');

      const { data } = await client.GET(PATH, { params: { query: { limit: 1 } } });

      expect(data).toMatchObject({ data: [{ id }], nextCursor: expect.any(String) });
    });

    it('with what comes after the cursor', async () => {
      const { client, id } = await given('agents of one’s own on several pages');

      const { data: first } = await client.GET(PATH, { params: { query: { limit: 1 } } });
      const cursor = first?.nextCursor ?? '';
      const { data } = await client.GET(PATH, { params: { query: { limit: 1, cursor } } });

      expect(data?.data).toHaveLength(1);
      // The mock returns the same page for every cursor.
      if (target === 'server') {
        expect(data?.data[0]?.id).not.toBe(id);
        expect(data?.nextCursor).toBeNull();
      }
    });

    it('with nothing where nothing is listed', async () => {
      const { client } = await given('nothing listed of one’s own');

      const { data } = await client.GET(PATH);

      expect(data).toEqual({ data: [], nextCursor: null });
    });
  });

  answers(400, () => {
    it.each([0, 101])('to a limit of %i', async (limit) => {
      const { client } = await given('a console session');

      const { error } = await client.GET(PATH, { params: { query: { limit } } });

      expect(error).toMatchObject({ error: 'invalid_request' });
    });

    it('to an unknown parameter', async () => {
      const { client } = await given('a console request with an unknown parameter');

      const { error } = await client.GET(PATH, { params: { query: { page: '2' } as never } });

      expect(error).toMatchObject({ error: 'invalid_request', message: expect.stringContaining('page') });
    });

    it('to a cursor of another list', async () => {
      const { client } = await given('a cursor of another list of one’s own agents');

      const { error } = await client.GET(PATH, { params: { query: { cursor: 'W10' } } });

      expect(error).toMatchObject({ error: 'invalid_request', message: expect.stringContaining('cursor') });
    });
  });

  consoleAnswers(operation, (client) => client.GET(PATH));
});
