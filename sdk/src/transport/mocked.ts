import { given } from './given.ts';
import { readOptions } from './options.ts';
import type { CallOptions } from './settings.ts';

/**
 * Which answer the mock server should give: one of the contract's examples, or any with a status.
 *
 * @example
 * await client.agents.list({}, mocked({ code: 429 }));
 */
export interface MockAnswer {
  example?: string | undefined;
  code?: number | undefined;
  /** Milliseconds that the mock waits before it answers, at most a minute. */
  delay?: number | undefined;
}

/**
 * Options of a client, or of one call, that ask the mock server for one answer; a real server ignores them.
 *
 * @example
 * const error = await client.agents.list({}, { maxRetries: 0, ...mocked({ code: 503 }) }).catch((reason) => reason);
 */
export function mocked(answer: MockAnswer): Pick<CallOptions, 'headers'> {
  const wishes = readOptions(answer, {
    code: ['a status number', /^[1-5]\d\d$/],
    example: ['the name of an example, a string', /^\w+$/],
    delay: ['a whole number from 0', /^\d+$/],
  });
  const pairs = given(wishes).map((wish) => wish.join('='));
  return { headers: { prefer: pairs.join(', ') } };
}
