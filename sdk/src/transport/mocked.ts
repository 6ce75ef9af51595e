import type { CallOptions } from './client-options.ts';
import { definedEntries, readOptions } from './read-options.ts';

/**
 * Response to request from the mock server: a named example of the contract, or any example with a status.
 *
 * @example
 * await client.agents.list({}, mocked({ code: 429 }));
 */
export interface MockAnswer {
  example?: string | undefined;
  code?: number | undefined;
  /** Milliseconds before the mock responds, at most 60,000. */
  delay?: number | undefined;
}

/**
 * Returns options, for a client or one call, that request one response from the mock server. A real server ignores
 * them.
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
  const pairs = definedEntries(wishes).map((wish) => wish.join('='));
  return { headers: { prefer: pairs.join(', ') } };
}
