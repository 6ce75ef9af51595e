import { expect, it } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { receiptAnswers } from './read-answers.ts';

const PATH = '/api/receipts';

describeOperation('listReceipts', (operation) => {
  const { target, given, answers } = operation;

  answers(200, () => {
    it('with the newest first, and a cursor for the rest', async () => {
      const { client, cursor } = await given('receipts on several pages');

      const { data } = await client.GET(PATH, { params: { query: { limit: 2 } } });

      const ids = data?.data.map((receipt) => receipt.ledger_id) ?? [];
      expect(ids).toHaveLength(2);
      expect(ids).toEqual([...ids].sort().reverse());
      expect(data?.nextCursor).toBe(cursor);
    });

    it('with what comes after the cursor', async () => {
      const { client, cursor } = await given('receipts on several pages');

      const { data } = await client.GET(PATH, { params: { query: { cursor } } });

      // The mock returns the same page for every cursor.
      if (target === 'server') expect(data).toMatchObject({ data: [{ state: 'settled' }], nextCursor: null });
    });

    it('with those that the filters let through', async () => {
      const { client } = await given('receipts on several pages');

      const query = { operation: 'skill_score', state: 'settled' } as const;
      const { data } = await client.GET(PATH, { params: { query } });

      // The mock does not filter.
      if (target === 'server') expect(data).toEqual({ data: [], nextCursor: null });
    });

    it('with those about a subject, by any of its names or a part of one, with a key and of some days', async () => {
      const { client } = await given('receipts on several pages');
      const all = (await client.GET(PATH)).data?.data ?? [];
      const [{ subject, key_id, created_at } = {}] = all;
      const key = key_id ?? '';
      const day = created_at?.slice(0, 10) ?? '';
      const count = async (query: object) =>
        (await client.GET(PATH, { params: { query } })).data?.data.length;

      const found = [
        await count({ subject: subject?.canonical_id }),
        await count({
          subject: ` ${subject?.name.slice(1, 5).toUpperCase()} `,
          api_key_id: key.toUpperCase(),
        }),
        await count({ subject: subject?.repository, from: day, to: day, operation: all[0]?.operation }),
        await count({ subject: 'nothing is called so' }),
        await count({ api_key_id: subject?.canonical_id }),
        await count({ from: '2000-01-01', to: '2000-01-02' }),
      ];

      // The mock does not filter.
      if (target === 'server') expect(found).toEqual([1, 3, 1, 0, 0, 0]);
    });

    it('with nothing where no call was made', async () => {
      const { client } = await given('an account without receipts');

      const { data } = await client.GET(PATH);

      expect(data).toEqual({ data: [], nextCursor: null });
    });
  });

  answers(400, () => {
    it.each([
      ['a limit of 0', { limit: 0 }],
      ['a limit of 101', { limit: 101 }],
      ['an unknown state', { state: 'open' }],
      ['an unknown operation', { operation: 'repo_score' }],
      ['a subject of spaces', { subject: '   ' }],
      ['a subject of 201 characters', { subject: 'a'.repeat(201) }],
      ['an id that is none', { api_key_id: 'mine' }],
      ['a day in words', { from: 'yesterday' }],
    ])('to %s', async (_name, query) => {
      const { client } = await given('an account without receipts');

      const { error } = await client.GET(PATH, bad(query));

      expect(error).toMatchObject({ error: 'invalid_request', status: 400 });
    });

    it.each([
      ['a filter of days that are none', { from: '2026-02-31' }, 'day of the calendar'],
      ['a filter of days in the wrong order', { from: '2026-11-21', to: '2026-11-20' }, 'after'],
    ] as const)('to %s', async (state, query, words) => {
      const { client } = await given(state);

      const { error } = await client.GET(PATH, { params: { query } });

      expect(error).toMatchObject({ error: 'invalid_request', message: expect.stringContaining(words) });
    });

    it('to a cursor of another list', async () => {
      const { client } = await given('a cursor of another list of receipts');

      const { error } = await client.GET(PATH, { params: { query: { cursor: 'W10' } } });

      expect(error).toMatchObject({ error: 'invalid_request', message: expect.stringContaining('cursor') });
    });
  });

  receiptAnswers(operation, (client) => client.GET(PATH));
});

/** Builds parameters that no typed caller could send. */
function bad(query: object) {
  return { params: { query } } as never;
}
