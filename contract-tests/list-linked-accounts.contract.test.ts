import { expect, it } from 'vitest';
import { consoleAnswers } from './console-answers.ts';
import { describeOperation } from './describe-operation.ts';

const PATH = '/api/console/linked-accounts';

describeOperation('listLinkedAccounts', (operation) => {
  const { given, answers } = operation;

  answers(200, () => {
    it('with what is proved and what waits, oldest first', async () => {
      const { client } = await given('linked accounts, proved and pending');

      const { data } = await client.GET(PATH);

      expect(data?.data.map(({ state }) => state)).toEqual(['proved', 'pending']);
      expect(data?.data[0]).toMatchObject({ provedBy: 'code', countsUntil: expect.any(String) });
      expect(data?.data[1]).toMatchObject({ provedAt: null, instructions: expect.stringContaining('code') });
    });
  });

  answers(400, () => {
    it('to a query parameter', async () => {
      const { client } = await given('a console request with an unknown parameter');

      const { error } = await client.GET(PATH, { params: { query: { page: '2' } as never } });

      expect(error).toMatchObject({ error: 'invalid_request' });
    });
  });

  consoleAnswers(operation, (client) => client.GET(PATH));
});
