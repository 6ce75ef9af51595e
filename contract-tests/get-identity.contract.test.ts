import { expect, it } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { readAnswers } from './read-answers.ts';

const PATH = '/api/identity/{handle}';
const by = (handle: string) => ({ params: { path: { handle } } });

describeOperation('getIdentity', (operation) => {
  const { given, answers } = operation;

  answers(200, () => {
    it('with the profile; without a confirmed score its numbers are null', async () => {
      const { client, handle } = await given('a creator without a score');

      const { data } = await client.GET(PATH, by(handle));

      expect(data).toMatchObject({ handle, trustScore: null, confidence: null, tier: 'low' });
      expect(data?.verifiedAccounts).toEqual({});
    });

    it('to a handle that is written with an @', async () => {
      const { client, handle } = await given('a creator without a score');

      const { data } = await client.GET(PATH, by(`@${handle}`));

      expect(data).toMatchObject({ handle });
    });
  });

  answers(304, () => {
    it('where nothing changed since the answer that the client holds', async () => {
      const { client, handle, etag } = await given('a creator that the client holds');

      const { response } = await client.GET(PATH, { ...by(handle), headers: { 'If-None-Match': etag } });

      expect(response.headers.get('etag')).toBe(etag);
    });
  });

  answers(400, () => {
    it.each(['no body', 'a/b', 'a:b:c', '@'])('to the handle %s', async (handle) => {
      const { client } = await given('a directory of agents');

      const { error } = await client.GET(PATH, by(handle));

      expect(error).toMatchObject({ error: 'invalid_request', status: 400 });
    });
  });

  answers(404, () => {
    it.each(['~audit', 'git.sr.ht:~audit', 'audit~4711', 'bitbucket.org:audit~{0c8f6a1b-2e55}'])(
      'to %s, which could be a handle',
      async (written) => {
        const { client } = await given('a handle that nobody has');

        const { error } = await client.GET(PATH, by(written));

        expect(error).toMatchObject({ error: 'not_found', status: 404 });
      },
    );

    it('to a handle that nobody has', async () => {
      const { client, handle } = await given('a handle that nobody has');

      const { error } = await client.GET(PATH, by(handle));

      expect(error).toMatchObject({ error: 'not_found', status: 404 });
    });
  });

  readAnswers(operation, (client) => client.GET(PATH, by('example-labs')));
});
