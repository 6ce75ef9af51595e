import { expect, it } from 'vitest';
import { consoleAnswers } from './console-answers.ts';
import type { OperationUnderTest } from './describe-operation.ts';
import type { ApiClient } from './targets/states.ts';

/** Defines the tests that the list of usage and its CSV export share. */
export function usageAnswers(
  operation: OperationUnderTest,
  read: (client: ApiClient, query?: object) => Promise<{ error?: unknown }>,
  alsoRefused: () => void = () => undefined,
): void {
  const { given, answers } = operation;

  answers(400, () => {
    it.each([
      ['a day in words', { from: 'yesterday' }],
      ['a thirteenth month', { to: '2026-13-01' }],
      ['an unknown operation', { operation: 'repo_score' }],
      ['an unknown source', { source: 'credit_card' }],
      ['an id that is none', { api_key_id: 'mine' }],
    ])('to %s', async (_name, query) => {
      const { client } = await given('a console session');

      expect((await read(client, query)).error).toMatchObject({ error: 'invalid_request', status: 400 });
    });

    it.each([
      ['a filter of days that are none', { from: '2026-02-31' }, 'day of the calendar'],
      ['a filter of days in the wrong order', { from: '2026-11-21', to: '2026-11-20' }, 'after'],
    ] as const)('to %s', async (state, query, words) => {
      const { client } = await given(state);

      const { error } = await read(client, query);

      expect(error).toMatchObject({ error: 'invalid_request', message: expect.stringContaining(words) });
    });

    alsoRefused();
  });

  consoleAnswers(operation, read);
}
