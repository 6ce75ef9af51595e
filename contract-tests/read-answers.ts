import { expect, it } from 'vitest';
import type { OperationUnderTest } from './describe-operation.ts';
import type { ApiClient } from './targets/states.ts';

/** Makes one valid call. */
type Call = (client: ApiClient) => Promise<{ error?: unknown; response: Response }>;

/** Defines the tests of the answers that every read of the directory gives. */
export function readAnswers({ given, answers }: OperationUnderTest, call: Call): void {
  answers(429, () => {
    it('with the seconds to wait', async () => {
      const { client } = await given('an address out of requests');

      const { error, response } = await call(client);

      expect(error).toMatchObject({ error: 'rate_limited', status: 429 });
      expect(response.headers.get('x-ratelimit-remaining')).toBe('0');
      expect(response.headers.get('retry-after')).toBe(response.headers.get('x-ratelimit-reset'));
    });
  });

  troubleAnswers({ given, answers }, call);
}

/** Defines the tests of the answers that all reads of the caller's own receipts have in common. */
export function receiptAnswers({ given, answers }: OperationUnderTest, call: Call): void {
  answers(401, () => {
    it.each([
      'a reader without a credential',
      'a reader with an unknown key',
      'a reader with a revoked key',
      'a reader in a session that has ended',
    ] as const)('to %s', async (state) => {
      const { client } = await given(state);

      expect((await call(client)).error).toMatchObject({ error: 'unauthorized', status: 401 });
    });
  });

  answers(429, () => {
    it('with the seconds to wait', async () => {
      const { client } = await given('a reader with a key out of requests');

      const { error, response } = await call(client);

      expect(error).toMatchObject({ error: 'rate_limited', status: 429 });
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    });
  });

  troubleAnswers({ given, answers }, call);
}

function troubleAnswers({ given, answers }: Pick<OperationUnderTest, 'given' | 'answers'>, call: Call): void {
  answers(500, () => {
    it('that tells nothing of the fault', async () => {
      const { client } = await given('an unforeseen fault');

      const { error } = await call(client);

      expect(error).toMatchObject({ error: 'internal_error', status: 500 });
      expect((error as { message: string }).message).not.toMatch(/select|relation|listing/i);
    });
  });

  answers(503, () => {
    it('where the database is away, with the seconds to wait', async () => {
      const { client } = await given('a database that is away');

      const { error, response } = await call(client);

      expect(error).toMatchObject({ error: 'unavailable', status: 503 });
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    });
  });
}
