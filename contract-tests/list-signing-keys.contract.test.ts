import { expect, it } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { readAnswers } from './read-answers.ts';

const PATH = '/.well-known/jwks.json';

describeOperation('listSigningKeys', (operation) => {
  const { given, answers } = operation;

  answers(200, () => {
    it('with public keys only', async () => {
      const { client } = await given('a directory of agents');

      const { data } = await client.GET(PATH);

      expect(data?.keys).toEqual([
        {
          kty: 'OKP',
          crv: 'Ed25519',
          x: expect.any(String),
          kid: expect.any(String),
          alg: 'EdDSA',
          use: 'sig',
        },
      ]);
    });
  });

  // These tests show why `excused-answers.ts` does not require a 500 and a 503 of the server: it answers 200 in both cases.
  if (operation.target === 'server')
    answers(200, () => {
      it.each(['an unforeseen fault', 'a database that is away'] as const)('despite %s', async (state) => {
        const { client } = await given(state);

        expect((await client.GET(PATH)).data?.keys).toHaveLength(1);
      });
    });

  answers(304, () => {
    it('where nothing changed since the answer that the client holds', async () => {
      const { client, etag } = await given('signing keys that the client holds');

      const { response } = await client.GET(PATH, { headers: { 'If-None-Match': etag } });

      expect(response.headers.get('etag')).toBe(etag);
    });
  });

  answers(400, () => {
    it('to a parameter that it does not take', async () => {
      const { client } = await given('a directory of agents');
      const query = { kid: 'one' };

      const { error } = await client.GET(PATH, { params: { query } as object });

      expect(error).toMatchObject({ error: 'invalid_request', status: 400 });
    });
  });

  readAnswers(operation, (client) => client.GET(PATH));
});
