import type { ChildClaim, ChildClaimPage } from '../contract/models.ts';
import type { QueryOf } from '../contract/wire.ts';
import type { ApiPromise, Call } from '../transport/call.ts';
import { type PagePromise, paged } from '../transport/pages.ts';
import type { CallOptions } from '../transport/settings.ts';

/** Filter and page of a list of claims. `undefined` counts as left out. */
export type ChildClaimQuery = QueryOf<'get', '/api/console/lineage'>;

/** Listings of other creators that name one of yours as their parent. */
export interface ChildClaims {
  /**
   * One page, by id, when awaited. Iterated, every claim from there on.
   *
   * @example
   * for await (const { agent, relation } of consoleOf(client).children.list({ acknowledged: false })) {
   *   console.log(agent.name, relation);
   * }
   */
  list(query?: ChildClaimQuery, options?: CallOptions): PagePromise<ChildClaimPage>;
  /**
   * Says that the child does derive from your listing. Needs the proved owner of the parent's repository; a second time changes nothing.
   *
   * @example
   * const { acknowledgedAt } = await consoleOf(client).children.acknowledge('AGT-7K2MQ9XD');
   */
  acknowledge(childId: string, options?: CallOptions): ApiPromise<ChildClaim>;
  /**
   * Makes it the child's claim again; a second time changes nothing.
   *
   * @example
   * await consoleOf(client).children.withdraw('AGT-7K2MQ9XD');
   */
  withdraw(childId: string, options?: CallOptions): ApiPromise<ChildClaim>;
}

const ACKNOWLEDGEMENT = '/api/console/lineage/{childId}/acknowledgement';

/** Binds them to a client. */
export const childClaimsOf = (call: Call): ChildClaims => ({
  list: (query, options) =>
    paged((next) => call('get', '/api/console/lineage', 'data', { query: { ...query, ...next } }, options)),
  acknowledge: (childId, options) => call('put', ACKNOWLEDGEMENT, 'agent', { path: childId }, options),
  withdraw: (childId, options) => call('delete', ACKNOWLEDGEMENT, 'agent', { path: childId }, options),
});
