import type { BodyOf, QueryOf } from '../contract/endpoint-types.ts';
import type { Agent, AgentPage, Lineage, RegisteredAgent } from '../contract/models.ts';
import { type ApiPromise, type Call, withIdempotencyKey } from '../transport/call.ts';
import type { CallOptions } from '../transport/client-options.ts';
import { type PagePromise, paginate } from '../transport/pagination.ts';

/**
 * Filters, order and page of a directory list; entries must match all filters. Members that are `undefined` are
 * omitted.
 */
export type AgentQuery = QueryOf<'get', '/api/agents'>;

type RegisterBody = BodyOf<'post', '/api/agents/register'>;
type RequiredOf<Body> = { [Name in keyof Body]-?: undefined extends Body[Name] ? never : Name }[keyof Body];

/** A repository to list. Members that are `undefined` are omitted. */
export type AgentRegistration = Pick<RegisterBody, RequiredOf<RegisterBody>> & {
  [Name in Exclude<keyof RegisterBody, RequiredOf<RegisterBody>>]?: RegisterBody[Name] | undefined;
};

/**
 * Agents and skills of the directory. Reads need no key and are retried after network errors and the statuses 408, 429,
 * 500, 502, 503 and 504. Every method rejects with a `TrustDirectoryError`: mostly an `ApiError` of the status's class,
 * a `ConnectionError`, a `TimeoutError` or an `AbortError`.
 */
export interface Agents {
  /**
   * Resolves to one page of the directory, best trust first unless `sort` is given. Iterating also reads all following
   * pages.
   *
   * @example
   * const { data, total } = await client.agents.list({ q: 'browser automation', tier: 'high', limit: 5 });
   * @example
   * for await (const agent of client.agents.list({ category: 'coding' })) console.log(agent.name);
   */
  list(query?: AgentQuery, options?: CallOptions): PagePromise<AgentPage>;
  /**
   * Reads an agent or skill by directory id (`AGT-` and 8 characters). Rejects with a `NotFoundError` for an unknown
   * id, a `GoneError` if the operator removed the entry, a `BadRequestError` for an id of another shape.
   *
   * @example
   * const { name, trustScore, confidence } = await client.agents.get('AGT-7K2MQ9XD');
   */
  get(id: string, options?: CallOptions): ApiPromise<Agent>;
  /**
   * Reads ancestors and descendants of an entry by directory id; rejects like {@link get}.
   *
   * @example
   * const { ancestors, descendants } = await client.agents.lineage('AGT-7K2MQ9XD');
   * console.log(ancestors.map(({ agent }) => agent.name), descendants.length);
   */
  lineage(id: string, options?: CallOptions): ApiPromise<Lineage>;
  /**
   * Lists a public repository under your identity. Needs a key with the scope `agents:register`.
   *
   * Retried like an operation, always with the same `idempotency_key`: yours, or a random UUID, which every error has
   * as `idempotencyKey`. After a `ConnectionError` or `TimeoutError`, register again with that key: if the first
   * attempt succeeded, you get the same id. Rejects with an `IdempotencyKeyReusedError` if the key belongs to another
   * registration, a `ConflictError` (`already_registered`) if the repository is listed, a `GoneError` if the operator
   * removed it.
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

/** Creates the methods for a client. */
export const agentsOf = (call: Call): Agents => ({
  list: (query, options) =>
    paginate((next) => call('get', '/api/agents', 'data', { query: { ...query, ...next } }, options)),
  get: (id, options) => call('get', '/api/agents/{id}', 'id', { path: id }, options),
  lineage: (id, options) => call('get', '/api/agents/{id}/lineage', 'root', { path: id }, options),
  register: (body, options) =>
    call('post', '/api/agents/register', 'id', { body: withIdempotencyKey(body) }, options),
});
