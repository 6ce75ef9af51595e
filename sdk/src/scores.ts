import type { TrustDirectory } from './client.ts';
import { type Scores, scoreReadsOf } from './resources/scores.ts';

/**
 * Returns the methods that explain a subject's score, list and compare its stored scores, and return the current score
 * signed. It is a separate function, so that only programs that use it bundle it. The methods need no key and are
 * retried like the reads of `client.agents`.
 *
 * @example
 * import { scoresOf, TrustDirectory } from '@trust-directory/sdk';
 *
 * const client = new TrustDirectory();
 * const { canonical_id } = await client.subjects.lookup('google-gemini/gemini-cli');
 * const { contributions, improvements } = await scoresOf(client).explain(canonical_id);
 */
export const scoresOf = (client: TrustDirectory): Scores => scoreReadsOf(client.call);
