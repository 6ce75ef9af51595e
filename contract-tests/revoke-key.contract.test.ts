import { expect, it } from 'vitest';
import { consoleAnswers, refusesForeignPages } from './console-answers.ts';
import { describeOperation } from './describe-operation.ts';
import type { ApiClient } from './targets/states.ts';

const PATH = '/api/console/keys/{id}';
const ANY = '3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55';
const revoke = (client: ApiClient, id = ANY) => client.DELETE(PATH, { params: { path: { id } } });

describeOperation('revokeKey', (operation) => {
  const { given, answers } = operation;

  answers(200, () => {
    it.each(['an access key of one’s own', 'a paused key of one’s own'] as const)(
      'to %s, twice too',
      async (state) => {
        const { client, id } = await given(state);

        expect((await revoke(client, id)).data).toMatchObject({ id, state: 'revoked' });
        expect((await revoke(client, id)).data).toMatchObject({ id, state: 'revoked' });
      },
    );
  });

  answers(400, () => {
    it('to an id that is none', async () => {
      const { client } = await given('a console session');

      expect((await revoke(client, 'mine')).error).toMatchObject({ error: 'invalid_request' });
    });
  });

  answers(403, () => refusesForeignPages(operation, revoke));

  answers(404, () => {
    it('to the key of somebody else', async () => {
      const { client, id } = await given('an access key of somebody else');

      expect((await revoke(client, id)).error).toMatchObject({ error: 'not_found', status: 404 });
    });
  });

  consoleAnswers(operation, revoke);
});
