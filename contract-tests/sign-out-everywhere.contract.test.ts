import { expect, it } from 'vitest';
import { consoleAnswers, refusesForeignPages } from './console-answers.ts';
import { describeOperation } from './describe-operation.ts';
import type { ApiClient } from './targets/states.ts';

const PATH = '/api/console/sessions';
const signOut = (client: ApiClient) => client.DELETE(PATH);

describeOperation('signOutEverywhere', (operation) => {
  const { target, given, answers } = operation;

  answers(200, () => {
    it('with how many sessions ended, and this one is over too', async () => {
      const { client } = await given('an account signed in twice');

      const { data, response } = await signOut(client);

      expect(data).toEqual({ ended: 2 });
      expect(response.headers.get('set-cookie')).toContain('Max-Age=0');
      // The mock ends no sessions.
      if (target === 'server') expect((await client.GET('/api/console/session')).response.status).toBe(401);
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
