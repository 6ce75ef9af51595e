import { expect, it } from 'vitest';
import { consoleAnswers } from './console-answers.ts';
import { describeOperation } from './describe-operation.ts';

const PATH = '/api/console/session';

describeOperation('getSession', (operation) => {
  const { given, answers } = operation;

  answers(200, () => {
    it('with who is signed in, and until when', async () => {
      const { client } = await given('a console session');

      const { data } = await client.GET(PATH);

      expect(data).toMatchObject({
        account: { handle: expect.any(String), plan: 'builder' },
        opened_by: 'sign_in',
      });
      const { opened_at = '', recent_until = '', idle_until = '', expires_at = '' } = data ?? {};
      expect([opened_at, recent_until, idle_until, expires_at]).toEqual(
        [opened_at, recent_until, idle_until, expires_at].sort(),
      );
    });

    it('without a handle where none was chosen yet', async () => {
      const { client } = await given('a console session without a handle');

      expect((await client.GET(PATH)).data?.account.handle).toBeNull();
    });
  });

  answers(400, () => {
    it('to an unknown parameter', async () => {
      const { client } = await given('a console request with an unknown parameter');

      const { error } = await client.GET(PATH, { params: { query: { page: '2' } as never } });

      expect(error).toMatchObject({ error: 'invalid_request', message: expect.stringContaining('page') });
    });
  });

  consoleAnswers(operation, (client) => client.GET(PATH));
});
