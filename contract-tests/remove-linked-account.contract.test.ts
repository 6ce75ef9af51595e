import { expect, it } from 'vitest';
import { consoleAnswers, needsRecentSignIn, refusesForeignPages } from './console-answers.ts';
import { describeOperation } from './describe-operation.ts';
import type { ApiClient } from './targets/states.ts';

const PATH = '/api/console/linked-accounts/{id}';
const ANY = '0192f3a4-5b6c-7d8e-9f01-23456789abcd';
const remove = (client: ApiClient, id = ANY) => client.DELETE(PATH, { params: { path: { id } } });

describeOperation('removeLinkedAccount', (operation) => {
  const { target, given, answers } = operation;

  answers(204, () => {
    it('with nothing, and the link is gone', async () => {
      const { client, id } = await given('a linked account whose code is published');

      const { data } = await remove(client, id);

      expect(data).toBeFalsy();
      // The mock removes nothing.
      if (target === 'server') {
        const { data: left } = await client.GET('/api/console/linked-accounts');
        expect(left?.data).toEqual([]);
      }
    });
  });

  answers(400, () => {
    it('to an id that is none', async () => {
      const { client } = await given('a console session');

      const { error } = await remove(client, 'mine');

      expect(error).toMatchObject({ error: 'invalid_request' });
    });
  });

  answers(403, () => {
    refusesForeignPages(operation, remove);
    needsRecentSignIn(operation, remove);
  });

  answers(404, () => {
    it('to the link of somebody else', async () => {
      const { client, id } = await given('a linked account of somebody else');

      const { error } = await remove(client, id);

      expect(error).toMatchObject({ error: 'not_found' });
    });
  });

  consoleAnswers(operation, remove);
});
