import type { QueryOf } from '../contract/endpoint-types.ts';
import type { Agent, OwnAgentPage } from '../contract/models.ts';
import type { ApiPromise, Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/client-options.ts';
import { type PagePromise, paginate } from '../transport/pagination.ts';

/** Page of a list of your own agents. Members that are `undefined` are omitted. */
export type OwnAgentQuery = QueryOf<'get', '/api/console/agents'>;

/** Methods for your own listings: list them, and refresh their scores. */
export interface OwnAgents {
  /**
   * Resolves to one page, newest first. Iterating also reads all following pages.
   *
   * @example
   * for await (const { name, trustScore, confidence } of consoleOf(client).agents.list()) {
   *   console.log(name, trustScore, confidence);
   * }
   */
  list(query?: OwnAgentQuery, options?: CallOptions): PagePromise<OwnAgentPage>;
  /**
   * Recomputes the score of a listing free of charge and returns its record. A score younger than a minute is kept.
   * Rejects with a `NotFoundError` if the listing isn't yours, a `RateLimitError` less than a minute after a request
   * that gave no new score, and a `ServiceUnavailableError` if the listing can't be scored now.
   *
   * @example
   * const { trustScore, confidence, scoreVersion } = await consoleOf(client).agents.refreshScore('AGT-7K2MQ9XD');
   */
  refreshScore(id: string, options?: CallOptions): ApiPromise<Agent>;
}

/** Creates the methods for a client. */
export const ownAgentsOf = (call: Call): OwnAgents => ({
  list: (query, options) =>
    paginate((next) => call('get', '/api/console/agents', 'data', { query: { ...query, ...next } }, options)),
  refreshScore: (id, options) => call('post', '/api/console/agents/{id}/score', 'id', { path: id }, options),
});
