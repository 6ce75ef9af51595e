import type { Call } from './call.ts';
import type { components, operations } from './generated/schema.ts';
import type { Agent, AgentPage, Lineage, RegisteredAgent } from './models.ts';
import { pathSegment } from './path-segment.ts';
import type { CallOptions } from './settings.ts';

type ListQuery = NonNullable<operations['listAgents']['parameters']['query']>;
type RegisterBody = components['schemas']['RegisterAgentRequest'];

/** Filters, order and page of a directory list; they narrow the result together. `undefined` counts as left out. */
export type AgentQuery = { [Name in keyof ListQuery]?: ListQuery[Name] | undefined };

/** A repository to list. `undefined` counts as left out. */
export type AgentRegistration = Pick<RegisterBody, RequiredOf<RegisterBody>> & {
  [Name in Exclude<keyof RegisterBody, RequiredOf<RegisterBody>>]?: RegisterBody[Name] | undefined;
};

type RequiredOf<Body> = { [Name in keyof Body]-?: undefined extends Body[Name] ? never : Name }[keyof Body];

/**
 * Agents and skills of the directory. Reads need no key and are repeated after failures of the network and the statuses
 * 408, 429, 502, 503 and 504. Every method rejects with an `ApiError` of the status's class, a `ConnectionError`, a
 * `TimeoutError` or an `AbortError`.
 */
export class Agents {
  readonly #call: Call;

  /** @internal Made by the client. */
  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * One page of the directory, best trust first. For the next page send `nextCursor` as `cursor`, the rest unchanged.
   *
   * @example
   * const { data, total } = await client.agents.list({ q: 'browser automation', tier: 'high', limit: 5 });
   */
  async list(query: AgentQuery = {}, options?: CallOptions): Promise<AgentPage> {
    const answer = await this.#call(
      'read',
      'data',
      (http, init) => http.GET('/api/agents', { ...init, params: { query: query as ListQuery } }),
      options,
    );
    return answer.body;
  }

  /**
   * One agent or skill by its directory id (`AGT-` and 8 characters). Rejects with a `NotFoundError` for an id that
   * nothing bears, a `BadRequestError` for one of another shape.
   */
  async get(id: string, options?: CallOptions): Promise<Agent> {
    const path = { id: pathSegment(id) };
    const answer = await this.#call(
      'read',
      'id',
      (http, init) => http.GET('/api/agents/{id}', { ...init, params: { path } }),
      options,
    );
    return answer.body;
  }

  /** Ancestors and descendants of one entry by its directory id; rejects as {@link get} does. */
  async lineage(id: string, options?: CallOptions): Promise<Lineage> {
    const path = { id: pathSegment(id) };
    const answer = await this.#call(
      'read',
      'root',
      (http, init) => http.GET('/api/agents/{id}/lineage', { ...init, params: { path } }),
      options,
    );
    return answer.body;
  }

  /**
   * Lists a public repository under your identity. Needs a key with the scope `agents:register`.
   *
   * There is no idempotency key, so only a 429 and a connection that was never made are tried again. After a
   * `ConnectionError` or `TimeoutError`, register again: a `ConflictError` (`already_registered`) then means that the
   * first try worked.
   */
  async register(body: AgentRegistration, options?: CallOptions): Promise<RegisteredAgent> {
    const answer = await this.#call(
      'unkeyed',
      'id',
      (http, init) => http.POST('/api/agents/register', { ...init, body: body as RegisterBody }),
      options,
    );
    return answer.body;
  }
}
