import { expect, it } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { receiptAnswers } from './read-answers.ts';

const PATH = '/api/balance';

describeOperation('readBalance', (operation) => {
  const { target, given, answers } = operation;

  answers(200, () => {
    it('with what is left of each balance, and of the key that asks', async () => {
      const { client, id } = await given('a key with a limit and a call');

      const { data } = await client.GET(PATH);

      expect(data).toMatchObject({ plan: 'free', buckets: [{ charge_source: 'free', total: 25 }] });
      for (const { total, used, held, left } of data?.buckets ?? []) expect(total - used - held).toBe(left);
      const { limits = [], period } = data?.access_key ?? {};
      expect(data?.access_key?.id).toBe(id);
      expect(limits).toMatchObject([{ unit: 'call', total: 10 }]);
      for (const { total, used, left } of limits) expect(total - used).toBe(left);
      if (target === 'server') expect(limits).toMatchObject([{ used: 1, left: 9 }]);
      expect(period).toEqual(data?.buckets[0]?.period);
    });
  });

  answers(400, () => {
    it('to an unknown parameter', async () => {
      const { client } = await given('a key with a limit and a call');

      const { error } = await client.GET(PATH, { params: { query: { page: '2' } as never } });

      expect(error).toMatchObject({ error: 'invalid_request', message: expect.stringContaining('page') });
    });
  });

  answers(403, () => {
    it('to a key without the scope', async () => {
      const { client } = await given('a reader without the scope');

      const { error } = await client.GET(PATH);

      expect(error).toMatchObject({ error: 'forbidden', message: expect.stringContaining('balance:read') });
    });
  });

  receiptAnswers(operation, (client) => client.GET(PATH));
});
