import type { FastifyRequest } from 'fastify';
import type { Database } from '../database/connect.ts';
import type { RouteHandlers } from '../generated/fastify.gen.ts';
import type { ChildClaim, ListChildrenData } from '../generated/types.gen.ts';
import { requirePrincipal } from '../http/request-context.ts';
import { lockCredential } from '../keys/authenticate.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { presentAgent } from './agent.presenter.ts';
import { acknowledgeChild, listChildClaims, type ShownClaim } from './child-claims.ts';

export interface ChildClaimHandlerParts {
  database: Database;
  backend: ScoringBackend;
}

type ChildClaimHandlers = Pick<
  RouteHandlers,
  'listChildren' | 'acknowledgeChild' | 'withdrawAcknowledgement'
>;

const DEFAULT_LIMIT = 20;

/** What others build on a creator's listings, for the console: translates requests and answers, decides nothing. */
export function createChildClaimHandlers({ database, backend }: ChildClaimHandlerParts): ChildClaimHandlers {
  function judge(request: FastifyRequest, childAgentId: string, acknowledged: boolean) {
    const principal = requirePrincipal(request);
    return acknowledgeChild(database, {
      accountId: principal.accountId,
      childAgentId,
      acknowledged,
      backend,
      lockCredential: (connection) => lockCredential(connection, principal),
    });
  }
  return {
    async listChildren(request, reply) {
      const { accountId } = requirePrincipal(request as FastifyRequest);
      const query = (request.query ?? {}) as NonNullable<ListChildrenData['query']>;
      const { claims, nextCursor } = await listChildClaims(database, accountId, {
        acknowledged: query.acknowledged ?? null,
        limit: query.limit ?? DEFAULT_LIMIT,
        cursor: query.cursor ?? null,
      });
      return reply.code(200).send({ data: claims.map(presentClaim), nextCursor });
    },
    async acknowledgeChild(request, reply) {
      const claim = await judge(request as FastifyRequest, request.params.childId, true);
      return reply.code(200).send(presentClaim(claim));
    },
    async withdrawAcknowledgement(request, reply) {
      const claim = await judge(request as FastifyRequest, request.params.childId, false);
      return reply.code(200).send(presentClaim(claim));
    },
  };
}

function presentClaim(claim: ShownClaim): ChildClaim {
  return {
    agent: presentAgent(claim.record),
    parentId: claim.parentAgentId,
    relation: claim.relation as ChildClaim['relation'],
    acknowledgedAt: claim.acknowledgedAt,
    trustEquityFlow: claim.trustEquityFlow,
  };
}
