import { expect, it } from 'vitest';
import { consoleAnswers, needsRecentSignIn, refusesForeignPages } from './console-answers.ts';
import { describeOperation } from './describe-operation.ts';
import type { ApiClient } from './targets/states.ts';

const PATH = '/api/console/linked-accounts/{id}/verify';
const ANY = '0192f3a4-5b6c-7d8e-9f01-23456789abcd';
const verify = (client: ApiClient, id = ANY) => client.POST(PATH, { params: { path: { id } } });

describeOperation('verifyLinkedAccount', (operation) => {
  const { given, answers } = operation;

  answers(200, () => {
    it('with the proof, once the code is published', async () => {
      const { client, id } = await given('a linked account whose code is published');

      const { data } = await verify(client, id);

      expect(data).toMatchObject({
        id,
        state: 'proved',
        provedBy: 'code',
        checkedAt: expect.any(String),
        hostAccountCreatedAt: expect.any(String),
      });
    });
  });

  answers(400, () => {
    it('to an id that is none', async () => {
      const { client } = await given('a console session');

      const { error } = await verify(client, 'mine');

      expect(error).toMatchObject({ error: 'invalid_request' });
    });
  });

  answers(403, () => {
    refusesForeignPages(operation, verify);
    needsRecentSignIn(operation, verify);
  });

  answers(404, () => {
    it('to the link of somebody else', async () => {
      const { client, id } = await given('a linked account of somebody else');

      const { error } = await verify(client, id);

      expect(error).toMatchObject({ error: 'not_found' });
    });
  });

  answers(409, () => {
    it.each([
      ['a linked account whose code is not published', 'proof_not_found'],
      ['a linked account whose code has expired', 'code_expired'],
    ] as const)('to %s', async (state, code) => {
      const { client, id } = await given(state);

      const { error } = await verify(client, id);

      expect(error).toMatchObject({ error: code, status: 409 });
    });
  });

  consoleAnswers(operation, verify);

  answers(503, () => {
    it('while the host is away', async () => {
      const { client, id } = await given('a linked account on a host that is away');

      const { error, response } = await verify(client, id);

      expect(error).toMatchObject({ error: 'unavailable', message: expect.stringContaining('github.com') });
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    });
  });
});
