import { expect, it } from 'vitest';
import { consoleAnswers, refusesForeignPages } from './console-answers.ts';
import { describeOperation } from './describe-operation.ts';
import type { ApiClient } from './targets/states.ts';

const PATH = '/api/console/keys/{id}/pause';
const ANY = '3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55';
const pause = (client: ApiClient, id = ANY) => client.POST(PATH, { params: { path: { id } } });

describeOperation('pauseKey', (operation) => {
  const { given, answers } = operation;

  answers(200, () => {
    it.each(['an access key of one’s own', 'a paused key of one’s own'] as const)('to %s', async (state) => {
      const { client, id } = await given(state);

      expect((await pause(client, id)).data).toMatchObject({ id, state: 'inactive' });
    });
  });

  answers(400, () => {
    it('to a key that was revoked', async () => {
      const { client, id } = await given('a revoked key of one’s own');

      const { error } = await pause(client, id);

      expect(error).toMatchObject({ error: 'invalid_request', message: expect.stringContaining('revoked') });
    });

    it('to an id that is none', async () => {
      const { client } = await given('a console session');

      expect((await pause(client, 'mine')).error).toMatchObject({ error: 'invalid_request' });
    });
  });

  answers(403, () => refusesForeignPages(operation, pause));

  answers(404, () => {
    it('to the key of somebody else', async () => {
      const { client, id } = await given('an access key of somebody else');

      expect((await pause(client, id)).error).toMatchObject({ error: 'not_found', status: 404 });
    });
  });

  consoleAnswers(operation, pause);
});
