import type { QueryOf } from '../contract/endpoint-types.ts';
import type {
  ScoreDifference,
  ScoreExplanation,
  ScoreHistory,
  ScoreSignature,
  SigningKeys,
} from '../contract/models.ts';
import type { ApiPromise, Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/client-options.ts';
import { type PagePromise, paginate } from '../transport/pagination.ts';

/** Score to explain: the one that was current at the time `score_version`, or by default the current one. */
export type ExplainQuery = QueryOf<'get', '/api/subjects/{canonical_id}/explain'>;
/** Page of a history. Members that are `undefined` are omitted. */
export type HistoryQuery = QueryOf<'get', '/api/subjects/{canonical_id}/history'>;
/** Times of the scores to compare; by default the current score and the one before it. */
export type DifferenceQuery = QueryOf<'get', '/api/subjects/{canonical_id}/difference'>;

/** Methods that explain, list and compare stored scores, and return the current one signed. Free, without a key. */
export interface Scores {
  /**
   * Explains a stored score: what each signal added to trust and confidence, with its source, and what would raise the
   * score. Rejects with a `NotFoundError` for an unknown subject, or a time before its first score.
   *
   * @example
   * const { contributions, improvements } = await scoresOf(client).explain('b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88');
   */
  explain(canonicalId: string, query?: ExplainQuery, options?: CallOptions): ApiPromise<ScoreExplanation>;
  /**
   * Resolves to one page of stored scores, the current one first. Iterating also reads all following pages.
   *
   * @example
   * const past = scoresOf(client).history('b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88');
   * for await (const { score_version, trustScore } of past) console.log(score_version, trustScore);
   */
  history(canonicalId: string, query?: HistoryQuery, options?: CallOptions): PagePromise<ScoreHistory>;
  /**
   * Compares two scores, signal by signal, and says why they differ: changed facts, a new method, or the passing of
   * time.
   *
   * @example
   * const { summary, signals } = await scoresOf(client).difference('b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88');
   */
  difference(
    canonicalId: string,
    query?: DifferenceQuery,
    options?: CallOptions,
  ): ApiPromise<ScoreDifference>;
  /**
   * Reads the current score as a signed document. Verify it with `@trust-directory/sdk/verify`.
   *
   * @example
   * const { jws } = await scoresOf(client).signature('b6f0a1de-52c7-4e0a-9c2b-7d41f0e35a88');
   */
  signature(canonicalId: string, options?: CallOptions): ApiPromise<ScoreSignature>;
  /**
   * Reads the public keys that verify the service's signatures.
   *
   * @example
   * const { keys } = await scoresOf(client).signingKeys();
   */
  signingKeys(options?: CallOptions): ApiPromise<SigningKeys>;
}

/** Creates the methods for a client. */
export const scoreReadsOf = (call: Call): Scores => ({
  explain: (path, query, options) =>
    call('get', '/api/subjects/{canonical_id}/explain', 'subject', { path, query }, options),
  history: (path, query, options) =>
    paginate((next) =>
      call(
        'get',
        '/api/subjects/{canonical_id}/history',
        'data',
        { path, query: { ...query, ...next } },
        options,
      ),
    ),
  difference: (path, query, options) =>
    call('get', '/api/subjects/{canonical_id}/difference', 'subject', { path, query }, options),
  signature: (path, options) =>
    call('get', '/api/subjects/{canonical_id}/signature', 'jws', { path }, options),
  signingKeys: (options) => call('get', '/.well-known/jwks.json', 'keys', {}, options),
});
