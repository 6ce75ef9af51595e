import { expect, it } from 'vitest';
import { consoleAnswers } from './console-answers.ts';
import { describeOperation } from './describe-operation.ts';

const PATH = '/api/console/keys';

describeOperation('listKeys', (operation) => {
  const { target, given, answers } = operation;

  answers(200, () => {
    it('with the keys, their states and the slots of the plan, and no secret', async () => {
      const { client } = await given('a paused key of one’s own');

      const { data } = await client.GET(PATH);

      expect(data?.data.map(({ state }) => state)).toContain('inactive');
      expect(data?.data[0]).toMatchObject({ last_four: expect.stringMatching(/^\w{4}$/) });
      expect(data?.active_key_limit).toBe(5);
      expect(JSON.stringify(data)).not.toContain('svc_live_');
    });

    it('in pages, newest first', async () => {
      const { client } = await given('keys on several pages');

      const { data } = await client.GET(PATH, { params: { query: { limit: 1 } } });
      const cursor = data?.nextCursor ?? '';
      const next = await client.GET(PATH, { params: { query: { limit: 1, cursor } } });

      expect(data?.data).toHaveLength(1);
      expect(cursor).not.toBe('');
      // The mock returns the same page for every cursor.
      if (target === 'server') {
        expect(next.data).toMatchObject({ nextCursor: null, active_keys: 2 });
        expect(next.data?.data[0]?.id).not.toBe(data?.data[0]?.id);
      }
    });

    it('with those only that the filter lets through', async () => {
      const { client, id } = await given('a revoked key of one’s own');
      const ids = async (state: 'active' | 'revoked') =>
        (await client.GET(PATH, { params: { query: { state } } })).data?.data.map((key) => key.id);

      // The mock does not filter.
      if (target === 'server') expect([await ids('active'), await ids('revoked')]).toEqual([[], [id]]);
      else expect((await (await given('a console session')).client.GET(PATH)).data).toBeDefined();
    });

    it('with nothing where there is nothing', async () => {
      const { client } = await given('an account without keys');

      const { data } = await client.GET(PATH);

      expect(data).toEqual({ data: [], nextCursor: null, active_keys: 0, active_key_limit: 1 });
    });
  });

  answers(400, () => {
    it.each([
      ['an unknown state', { state: 'paused' }],
      ['a limit of 0', { limit: 0 }],
    ])('to %s', async (_name, query) => {
      const { client } = await given('a console session');

      const { error } = await client.GET(PATH, { params: { query: query as never } });

      expect(error).toMatchObject({ error: 'invalid_request' });
    });

    it('to a cursor of another list', async () => {
      const { client } = await given('a cursor of another list of keys');

      const { error } = await client.GET(PATH, { params: { query: { cursor: 'W10' } } });

      expect(error).toMatchObject({ error: 'invalid_request', message: expect.stringContaining('cursor') });
    });
  });

  consoleAnswers(operation, (client) => client.GET(PATH));
});
