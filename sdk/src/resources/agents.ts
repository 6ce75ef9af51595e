import type { Agent, AgentPage, Lineage, RegisteredAgent } from '../contract/models.ts';
import type { BodyOf, QueryOf } from '../contract/wire.ts';
import type { ApiPromise, Call } from '../transport/call.ts';
import { type PagePromise, paged } from '../transport/pages.ts';
import type { CallOptions } from '../transport/settings.ts';

/** Filters, order and page of a directory list; they narrow the result together. `undefined` counts as left out. */
export type AgentQuery = QueryOf<'get', '/api/agents'>;

type RegisterBody = BodyOf<'post', '/api/agents/register'>;
type RequiredOf<Body> = { [Name in keyof Body]-?: undefined extends Body[Name] ? never : Name }[keyof Body];

/** A repository to list. `undefined` counts as left out. */
export type AgentRegistration = Pick<RegisterBody, RequiredOf<RegisterBody>> & {
  [Name in Exclude<keyof RegisterBody, RequiredOf<RegisterBody>>]?: RegisterBody[Name] | undefined;
};

/**
 * Agents and skills of the directory. Reads need no key and are repeated after failures of the network and the statuses
 * 408, 429, 500, 502, 503 and 504. Every method rejects with an `ApiError` of the status's class, a `ConnectionError`, a
 * `TimeoutError` or an `AbortError`.
 */
export interface Agents {
  /**
   * One page of the directory, best trust first, when awaited. Iterated, every entry from there on, page after page.
   *
   * @example
   * const { data, total } = await client.agents.list({ q: 'browser automation', tier: 'high', limit: 5 });
   * @example
   * for await (const agent of client.agents.list({ category: 'coding' })) console.log(agent.name);
   */
  list(query?: AgentQuery, options?: CallOptions): PagePromise<AgentPage>;
  /**
   * One agent or skill by its directory id (`AGT-` and 8 characters). Rejects with a `NotFoundError` if nothing
   * has this id, a `GoneError` if the operator removed the entry, a `BadRequestError` for an id of another shape.
   *
   * @example
   * const { name, trustScore, confidence } = await client.agents.get('AGT-7K2MQ9XD');
   */
  get(id: string, options?: CallOptions): ApiPromise<Agent>;
  /**
   * Ancestors and descendants of one entry by its directory id; rejects as {@link get} does.
   *
   * @example
   * const { ancestors, descendants } = await client.agents.lineage('AGT-7K2MQ9XD');
   * console.log(ancestors.map(({ agent }) => agent.name), descendants.length);
   */
  lineage(id: string, options?: CallOptions): ApiPromise<Lineage>;
  /**
   * Lists a public repository under your identity. Needs a key with the scope `agents:register`.
   *
   * Tried again as an operation is, always with the same `idempotency_key`: yours, or a random UUID, which every error shows
   * as `idempotencyKey`. After a `ConnectionError` or `TimeoutError`, register again with it: a registration that has worked
   * answers with the same id. It rejects with an `IdempotencyKeyReusedError` if the key belongs to another registration, a
   * `ConflictError` (`already_registered`) if the repository is listed, a `GoneError` if the operator removed it.
   *
   * @example
   * const { id, listingUrl } = await client.agents.register({
   *   repoHostUrl: 'https://github.com/example-labs/changelog-agent',
   *   name: 'Changelog Agent',
   *   description: 'Drafts release notes from merged pull requests.',
   *   category: 'coding',
   * });
   */
  register(body: AgentRegistration, options?: CallOptions): ApiPromise<RegisteredAgent>;
}

/** Binds them to a client. */
export const agentsOf = (call: Call): Agents => ({
  list: (query, options) =>
    paged((next) => call('get', '/api/agents', 'data', { query: { ...query, ...next } }, options)),
  get: (id, options) => call('get', '/api/agents/{id}', 'id', { path: id }, options),
  lineage: (id, options) => call('get', '/api/agents/{id}/lineage', 'root', { path: id }, options),
  register: (body, options) => {
    const { idempotency_key = crypto.randomUUID() } = body;
    const input = { body: { ...body, idempotency_key } };
    return call('post', '/api/agents/register', 'id', input, options, idempotency_key);
  },
});
