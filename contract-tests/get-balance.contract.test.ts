import { expect, it } from 'vitest';
import { consoleAnswers } from './console-answers.ts';
import { describeOperation } from './describe-operation.ts';

const PATH = '/api/console/balance';

describeOperation('getBalance', (operation) => {
  const { given, answers } = operation;

  answers(200, () => {
    it('with plan, prices and what is left of each source, in the order in which they pay', async () => {
      const { client } = await given('an account with a balance');

      const { data } = await client.GET(PATH);

      expect(data).toMatchObject({
        plan: 'builder',
        plan_limits: { active_keys: 5, free_calls: 25, included_credits: 2_000, overage_credits: 2_000 },
        next_plan: null,
        overage: { enabled: true, cap: 500 },
        prices: { agent_score: 10, agent_skill_lineage: 20 },
      });
      const buckets = data?.buckets ?? [];
      expect(buckets.map(({ charge_source }) => charge_source)).toEqual([
        'free',
        'gifted',
        'included',
        'overage',
      ]);
      expect(buckets[0]?.used).toBeGreaterThan(0);
      for (const { total, used, held, left } of buckets) expect(total - used - held).toBe(left);
    });
  });

  answers(400, () => {
    it('to an unknown parameter', async () => {
      const { client } = await given('a console request with an unknown parameter');

      const { error } = await client.GET(PATH, { params: { query: { page: '2' } as never } });

      expect(error).toMatchObject({ error: 'invalid_request', message: expect.stringContaining('page') });
    });
  });

  consoleAnswers(operation, (client) => client.GET(PATH));
});
