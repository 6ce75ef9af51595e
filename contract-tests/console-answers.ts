import { expect, it } from 'vitest';
import type { OperationUnderTest } from './describe-operation.ts';
import type { ApiClient } from './targets/states.ts';

/** Makes a valid call with this client, whose session may be missing or invalid. */
type Call = (client: ApiClient) => Promise<{ error?: unknown }>;

/** Defines the tests of the answers that every endpoint of the console gives. */
export function consoleAnswers({ given, answers }: OperationUnderTest, call: Call): void {
  answers(401, () => {
    it.each(['a console request without a session', 'a console session that has ended'] as const)(
      'to %s',
      async (state) => {
        const { client } = await given(state);

        expect((await call(client)).error).toMatchObject({ error: 'unauthorized', status: 401 });
      },
    );
  });

  answers(429, () => {
    it('with the seconds to wait', async () => {
      const { client } = await given('a console session out of requests');

      expect((await call(client)).error).toMatchObject({ error: 'rate_limited', status: 429 });
    });
  });

  answers(500, () => {
    it('that tells nothing of the fault', async () => {
      const { client } = await given('a console session and an unforeseen fault');

      expect((await call(client)).error).toMatchObject({ error: 'internal_error', status: 500 });
    });
  });

  answers(503, () => {
    it('where the database is away', async () => {
      const { client } = await given('a console session while the database is away');

      expect((await call(client)).error).toMatchObject({ error: 'unavailable', status: 503 });
    });
  });
}

/** Defines the test of a 403 that every endpoint with side effects gives to pages of other sites. */
export function refusesForeignPages({ given }: OperationUnderTest, call: Call): void {
  it('to a page of another site', async () => {
    const { client } = await given('a console session from another site');

    expect((await call(client)).error).toMatchObject({ error: 'csrf_failed', status: 403 });
  });
}

/** Defines the test of a 403 that endpoints which require a recent sign-in give. */
export function needsRecentSignIn({ given }: OperationUnderTest, call: Call): void {
  it('to a session that was not opened just now', async () => {
    const { client } = await given('a session of long ago');

    expect((await call(client)).error).toMatchObject({ error: 'sign_in_again', status: 403 });
  });
}

/** Options to send a body that is not JSON. */
interface BodyOptions {
  readonly headers: Record<string, string>;
  readonly bodySerializer: () => string;
}

/** Defines the tests of refusals that every endpoint with a request body has: a body that is too large, or not JSON. */
export function refusesOtherBodies(
  { given, answers }: OperationUnderTest,
  call: (client: ApiClient, options: BodyOptions) => Promise<{ error?: unknown }>,
): void {
  answers(413, () => {
    it('to a body over 16 KiB', async () => {
      const { client } = await given('a console session');

      const { error } = await call(client, {
        headers: {},
        bodySerializer: () => JSON.stringify({ note: 'n'.repeat(17_000) }),
      });

      expect(error).toMatchObject({ error: 'payload_too_large', status: 413 });
    });
  });

  answers(415, () => {
    it('to a body that is not sent as JSON', async () => {
      const { client } = await given('a console session');

      const { error } = await call(client, {
        headers: { 'Content-Type': 'text/plain' },
        bodySerializer: () => '{}',
      });

      expect(error).toMatchObject({ error: 'unsupported_media_type', status: 415 });
    });
  });
}
