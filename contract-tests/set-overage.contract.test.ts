import { expect, it } from 'vitest';
import {
  consoleAnswers,
  needsRecentSignIn,
  refusesForeignPages,
  refusesOtherBodies,
} from './console-answers.ts';
import { describeOperation } from './describe-operation.ts';
import type { ApiClient } from './targets/states.ts';

const PATH = '/api/console/overage';
const BODY = { enabled: true, cap: 500 };
const optIn = (client: ApiClient, body: object = BODY) => client.PUT(PATH, { body: body as typeof BODY });

describeOperation('setOverage', (operation) => {
  const { target, given, answers } = operation;

  answers(200, () => {
    it('with the balance, in which overage counts at once', async () => {
      const { client } = await given('a console session');

      const { data } = await optIn(client);

      expect(data?.overage).toEqual({ enabled: true, cap: 500 });
      expect(data?.buckets).toContainEqual(
        expect.objectContaining({ charge_source: 'overage', total: 500, left: 500 }),
      );
    });

    it('with none of it after opting out', async () => {
      const { client } = await given('a console session');
      await optIn(client);

      const { data } = await optIn(client, { enabled: false });

      // The mock does not store the setting.
      if (target === 'server') {
        expect(data?.overage).toEqual({ enabled: false, cap: null });
        expect(data?.buckets.find(({ charge_source }) => charge_source === 'overage')?.left ?? 0).toBe(0);
      }
    });
  });

  answers(400, () => {
    it.each([
      ['without a choice', {}],
      ['with a cap of 0', { enabled: true, cap: 0 }],
      ['with half a credit', { enabled: true, cap: 0.5 }],
      ['with a word for a choice', { enabled: 'yes' }],
      ['with an unknown field', { enabled: true, limit: 5 }],
    ])('to a body %s', async (_name, body) => {
      const { client } = await given('a console session');

      expect((await optIn(client, body)).error).toMatchObject({ error: 'invalid_request', status: 400 });
    });

    it.each([
      ['an account on the free plan', 'no overage'],
      ['a cap beyond the plan', 'from 1 to 2000'],
    ] as const)('to %s', async (state, words) => {
      const { client } = await given(state);

      const { error } = await optIn(client, { enabled: true, cap: 2_001 });

      expect(error).toMatchObject({ error: 'invalid_request', message: expect.stringContaining(words) });
    });

    it('to a cap without overage', async () => {
      const { client } = await given('a console session');

      // The mock accepts every body that the schema allows.
      const body = target === 'server' ? { enabled: false, cap: 5 } : {};
      expect((await optIn(client, body)).error).toMatchObject({ error: 'invalid_request' });
    });
  });

  answers(403, () => {
    refusesForeignPages(operation, optIn);
    needsRecentSignIn(operation, optIn);
  });

  refusesOtherBodies(operation, (client, options) => client.PUT(PATH, { body: BODY, ...options }));
  consoleAnswers(operation, optIn);
});
