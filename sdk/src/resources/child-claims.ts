import type { QueryOf } from '../contract/endpoint-types.ts';
import type { ChildClaim, ChildClaimPage } from '../contract/models.ts';
import type { ApiPromise, Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/client-options.ts';
import { type PagePromise, paginate } from '../transport/pagination.ts';

/** Filter and page of a list of claims. Members that are `undefined` are omitted. */
export type ChildClaimQuery = QueryOf<'get', '/api/console/lineage'>;

/** Methods for listings of other creators that name one of yours as their parent. */
export interface ChildClaims {
  /**
   * Resolves to one page, sorted by the child's id. Iterating also reads all following pages.
   *
   * @example
   * for await (const { agent, relation } of consoleOf(client).children.list({ acknowledged: false })) {
   *   console.log(agent.name, relation);
   * }
   */
  list(query?: ChildClaimQuery, options?: CallOptions): PagePromise<ChildClaimPage>;
  /**
   * Confirms that the child derives from your listing, its parent. Requires that you have verified the owner of the
   * parent's repository as yours. Idempotent.
   *
   * @example
   * const { acknowledgedAt } = await consoleOf(client).children.acknowledge('AGT-7K2MQ9XD');
   */
  acknowledge(childId: string, options?: CallOptions): ApiPromise<ChildClaim>;
  /**
   * Withdraws the confirmation, so that the link is an unconfirmed claim again. Idempotent.
   *
   * @example
   * await consoleOf(client).children.withdraw('AGT-7K2MQ9XD');
   */
  withdraw(childId: string, options?: CallOptions): ApiPromise<ChildClaim>;
}

const ACKNOWLEDGEMENT = '/api/console/lineage/{childId}/acknowledgement';

/** Creates the methods for a client. */
export const childClaimsOf = (call: Call): ChildClaims => ({
  list: (query, options) =>
    paginate((next) =>
      call('get', '/api/console/lineage', 'data', { query: { ...query, ...next } }, options),
    ),
  acknowledge: (childId, options) => call('put', ACKNOWLEDGEMENT, 'agent', { path: childId }, options),
  withdraw: (childId, options) => call('delete', ACKNOWLEDGEMENT, 'agent', { path: childId }, options),
});
