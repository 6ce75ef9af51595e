import { expect, it } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import type { ApiClient } from './targets/states.ts';
import { usageAnswers } from './usage-answers.ts';

const PATH = '/api/console/usage.csv';
const read = (client: ApiClient, query: object = {}) =>
  client.GET(PATH, { params: { query: query as never }, parseAs: 'text' });

const NAMES =
  'day,operation,api_key_id,api_key_name,charge_source,period_start,period_end,unit,settled_calls,failed_calls,held_calls,used,held';

describeOperation('exportUsage', (operation) => {
  const { target, given, answers } = operation;

  answers(200, () => {
    it('with a file that has one line per row', async () => {
      const { client, id, day } = await given('usage of a key');

      const { data, response } = await read(client, { from: day });

      const [names, first = '', ...rest] = String(data).split('\r\n');
      expect(names).toBe(NAMES);
      expect(first.split(',').slice(0, 3)).toEqual([day, 'agent_score', id]);
      expect(rest.at(-1)).toBe('');
      expect(response.headers.get('content-disposition')).toMatch(
        /^attachment; filename="usage-from-.*\.csv"$/,
      );
      if (target === 'server') expect(first).toMatch(/,free,.*,call,1,0,0,1,0$/);
    });

    it('with its names alone where no call was made', async () => {
      const { client } = await given('an account without usage');

      expect((await read(client)).data).toBe(`${NAMES}\r\n`);
    });
  });

  usageAnswers(operation, read);
});
