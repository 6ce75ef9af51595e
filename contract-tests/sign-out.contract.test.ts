import { expect, it } from 'vitest';
import { consoleAnswers, refusesForeignPages } from './console-answers.ts';
import { describeOperation } from './describe-operation.ts';
import type { ApiClient } from './targets/states.ts';

const PATH = '/api/console/session';
const signOut = (client: ApiClient) => client.DELETE(PATH);

describeOperation('signOut', (operation) => {
  const { target, given, answers } = operation;

  answers(204, () => {
    it('with a cookie that is forgotten, and the session is over', async () => {
      const { client } = await given('a console session');

      const { response } = await signOut(client);

      expect(response.headers.get('set-cookie')).toContain('Max-Age=0');
      // Call again with the cookie that a browser would have deleted. The mock ends no sessions.
      if (target === 'server')
        expect((await client.GET('/api/console/linked-accounts')).response.status).toBe(401);
    });
  });

  answers(400, () => {
    it('to an unknown parameter', async () => {
      const { client } = await given('a console request with an unknown parameter');

      const { error } = await client.DELETE(PATH, { params: { query: { page: '2' } as never } });

      expect(error).toMatchObject({ error: 'invalid_request', message: expect.stringContaining('page') });
    });
  });

  answers(403, () => refusesForeignPages(operation, signOut));

  consoleAnswers(operation, signOut);
});
