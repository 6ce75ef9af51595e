import type { Agent, OwnAgentPage } from '../contract/models.ts';
import type { QueryOf } from '../contract/wire.ts';
import type { ApiPromise, Call } from '../transport/call.ts';
import { type PagePromise, paged } from '../transport/pages.ts';
import type { CallOptions } from '../transport/settings.ts';

/** Page of a list of your own agents. `undefined` counts as left out. */
export type OwnAgentQuery = QueryOf<'get', '/api/console/agents'>;

/** What is listed under your creator. */
export interface OwnAgents {
  /**
   * One page, newest first, when awaited. Iterated, every agent and skill from there on.
   *
   * @example
   * for await (const { name, trustScore, confidence } of consoleOf(client).agents.list()) {
   *   console.log(name, trustScore, confidence);
   * }
   */
  list(query?: OwnAgentQuery, options?: CallOptions): PagePromise<OwnAgentPage>;
  /**
   * Scores it again, free of charge, and answers with its new record. A score younger than a minute stays. Rejects with a
   * `NotFoundError` if it isn't yours, and with a `ServiceUnavailableError` if it can't be scored at the moment.
   *
   * @example
   * const { trustScore, confidence, scoreVersion } = await consoleOf(client).agents.refreshScore('AGT-7K2MQ9XD');
   */
  refreshScore(id: string, options?: CallOptions): ApiPromise<Agent>;
}

/** Binds them to a client. */
export const ownAgentsOf = (call: Call): OwnAgents => ({
  list: (query, options) =>
    paged((next) => call('get', '/api/console/agents', 'data', { query: { ...query, ...next } }, options)),
  refreshScore: (id, options) => call('post', '/api/console/agents/{id}/score', 'id', { path: id }, options),
});
