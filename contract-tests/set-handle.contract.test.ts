import { expect, it } from 'vitest';
import {
  consoleAnswers,
  needsRecentSignIn,
  refusesForeignPages,
  refusesOtherBodies,
} from './console-answers.ts';
import { describeOperation } from './describe-operation.ts';
import type { ApiClient } from './targets/states.ts';

const PATH = '/api/console/handle';
const choose = (client: ApiClient, handle = 'example-labs') => client.PUT(PATH, { body: { handle } });

describeOperation('setHandle', (operation) => {
  const { given, answers } = operation;

  answers(200, () => {
    it('with the new handle', async () => {
      const { client, handle } = await given('a handle that is free');

      const { data } = await choose(client, handle);

      expect(data?.account.handle).toBe(handle);
    });
  });

  answers(400, () => {
    it.each(['', 'two words', '-example', 'example-', 'e'.repeat(101), '@example'])(
      'to the handle "%s"',
      async (handle) => {
        const { client } = await given('a console session');

        expect((await choose(client, handle)).error).toMatchObject({ error: 'invalid_request', status: 400 });
      },
    );

    it('to a name that would be taken for the service itself', async () => {
      const { client } = await given('a handle that is kept');

      const { error } = await choose(client, 'admin');

      expect(error).toMatchObject({
        error: 'invalid_request',
        message: expect.stringContaining('is reserved'),
      });
    });

    it('to an unknown field', async () => {
      const { client } = await given('a console session');

      const { error } = await client.PUT(PATH, { body: { handle: 'example-labs', name: 'x' } as never });

      expect(error).toMatchObject({ error: 'invalid_request' });
    });
  });

  answers(403, () => {
    refusesForeignPages(operation, choose);
    needsRecentSignIn(operation, choose);
  });

  answers(409, () => {
    it('to a handle that somebody else has', async () => {
      const { client, handle } = await given('a handle that somebody has');

      expect((await choose(client, handle)).error).toMatchObject({ error: 'handle_taken', status: 409 });
    });
  });

  refusesOtherBodies(operation, (client, options) =>
    client.PUT(PATH, { body: { handle: 'example-labs' }, ...options }),
  );
  consoleAnswers(operation, choose);
});
