import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { verifyScore } from '../sdk/src/verify.ts';
import { describeOperation } from './describe-operation.ts';
import { readAnswers } from './read-answers.ts';

const PATH = '/api/subjects/{canonical_id}/signature';
const ANY_ID = 'b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88';
const by = (id: string) => ({ params: { path: { canonical_id: id } } });

describeOperation('getScoreSignature', (operation) => {
  const { given, answers } = operation;

  answers(200, () => {
    it.each(['a signed subject', 'a signed subject inside a repository'] as const)(
      'with the score of %s, which the published keys verify',
      async (state) => {
        const { client, id, issuer } = await given(state);

        const { data: signed } = await client.GET(PATH, by(id.toUpperCase()));
        const { data: keys } = await client.GET('/.well-known/jwks.json');

        if (!signed || !keys) throw new Error('no answer');
        const verified = await verifyScore(signed.jws, { issuer, keys, now: new Date(signed.score_version) });
        expect(verified).toMatchObject({
          subject: { canonical_id: id },
          score_version: signed.score_version,
          keyId: signed.key_id,
          sha256: signed.sha256,
        });
        expect(signed.sha256).toBe(hash('sha256', signed.jws, 'hex'));
        expect(new Date(verified.exp * 1000)).toEqual(new Date(signed.expires_at));
      },
    );
  });

  answers(304, () => {
    it('where nothing changed since the answer that the client holds', async () => {
      const { client, id, etag } = await given('a signature that the client holds');

      const { response } = await client.GET(PATH, { ...by(id), headers: { 'If-None-Match': etag } });

      expect(response.headers.get('etag')).toBe(etag);
    });
  });

  answers(400, () => {
    it.each(['AGT-7K2MQ9XD', ANY_ID.slice(1), 'gemini-cli'])('to the id %s', async (id) => {
      const { client } = await given('a listed subject');

      const { error } = await client.GET(PATH, by(id));

      expect(error).toMatchObject({ error: 'invalid_request', status: 400 });
    });
  });

  answers(404, () => {
    it('to an id that nobody has', async () => {
      const { client, id } = await given('a canonical id that nobody has');

      const { error } = await client.GET(PATH, by(id));

      expect(error).toMatchObject({ error: 'not_found', status: 404 });
    });

    it('to a subject without a score', async () => {
      const { client, id } = await given('a subject without a score to sign');

      const { error } = await client.GET(PATH, by(id));

      expect(error).toMatchObject({ message: expect.stringContaining('has no score'), status: 404 });
    });
  });

  answers(410, () => {
    it('that says why, to a subject that was delisted', async () => {
      const { client, id } = await given('a subject that was delisted');

      const { error } = await client.GET(PATH, by(id));

      expect(error).toMatchObject({
        error: 'gone',
        message: expect.stringContaining('operator'),
        status: 410,
      });
    });
  });

  readAnswers(operation, (client) => client.GET(PATH, by(ANY_ID)));
});
