import { expect, it } from 'vitest';
import { consoleAnswers, refusesForeignPages } from './console-answers.ts';
import { describeOperation } from './describe-operation.ts';
import type { ApiClient } from './targets/states.ts';

const PATH = '/api/console/keys/{id}/resume';
const ANY = '3d0f5a76-71c4-4a3e-9d0b-0c8f6a1b2e55';
const resume = (client: ApiClient, id = ANY) => client.POST(PATH, { params: { path: { id } } });

describeOperation('resumeKey', (operation) => {
  const { given, answers } = operation;

  answers(200, () => {
    it.each(['an access key of one’s own', 'a paused key of one’s own'] as const)('to %s', async (state) => {
      const { client, id } = await given(state);

      expect((await resume(client, id)).data).toMatchObject({ id, state: 'active' });
    });
  });

  answers(400, () => {
    it('to a key that was revoked', async () => {
      const { client, id } = await given('a revoked key of one’s own');

      const { error } = await resume(client, id);

      expect(error).toMatchObject({ error: 'invalid_request', message: expect.stringContaining('revoked') });
    });

    it('to an id that is none', async () => {
      const { client } = await given('a console session');

      expect((await resume(client, 'mine')).error).toMatchObject({ error: 'invalid_request' });
    });
  });

  answers(403, () => refusesForeignPages(operation, resume));

  answers(404, () => {
    it('to the key of somebody else', async () => {
      const { client, id } = await given('an access key of somebody else');

      expect((await resume(client, id)).error).toMatchObject({ error: 'not_found', status: 404 });
    });
  });

  answers(409, () => {
    it('where the plan has no slot for it', async () => {
      const { client, id } = await given('a paused key and no slot for it');

      expect((await resume(client, id)).error).toMatchObject({ error: 'key_limit_reached', status: 409 });
    });
  });

  consoleAnswers(operation, resume);
});
