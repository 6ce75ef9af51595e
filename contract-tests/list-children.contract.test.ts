import { expect, it } from 'vitest';
import { consoleAnswers } from './console-answers.ts';
import { describeOperation } from './describe-operation.ts';

const PATH = '/api/console/lineage';

describeOperation('listChildren', (operation) => {
  const { target, given, answers } = operation;

  answers(200, () => {
    it('with what others base on one’s listings', async () => {
      const { client, childId } = await given('a child that waits');

      const { data } = await client.GET(PATH);

      expect(data?.data[0]).toMatchObject({
        agent: { id: childId },
        parentId: expect.stringMatching(/^AGT-/),
        acknowledgedAt: null,
      });
      expect(data?.nextCursor).toBeNull();
    });

    it('with those only that the filter lets through', async () => {
      const { client } = await given('a child that waits');

      const { data } = await client.GET(PATH, { params: { query: { acknowledged: true } } });

      // The mock does not filter.
      if (target === 'server') expect(data?.data).toEqual([]);
    });

    it('with nothing where there is nothing', async () => {
      const { client } = await given('nothing built on what one has listed');

      const { data } = await client.GET(PATH);

      expect(data).toEqual({ data: [], nextCursor: null });
    });
  });

  answers(400, () => {
    it.each([
      ['a limit of 0', { limit: 0 }],
      ['an answer that is neither yes nor no', { acknowledged: 'maybe' }],
    ])('to %s', async (_name, query) => {
      const { client } = await given('a console session');

      const { error } = await client.GET(PATH, { params: { query: query as never } });

      expect(error).toMatchObject({ error: 'invalid_request' });
    });

    it('to an unknown parameter', async () => {
      const { client } = await given('a console request with an unknown parameter');

      const { error } = await client.GET(PATH, { params: { query: { page: '2' } as never } });

      expect(error).toMatchObject({ error: 'invalid_request', message: expect.stringContaining('page') });
    });

    it('to a cursor of another list', async () => {
      const { client } = await given('a cursor of another list of children');

      const { error } = await client.GET(PATH, { params: { query: { cursor: 'W10' } } });

      expect(error).toMatchObject({ error: 'invalid_request', message: expect.stringContaining('cursor') });
    });
  });

  consoleAnswers(operation, (client) => client.GET(PATH));
});
