import type { FastifyRequest } from 'fastify';
import { lockCredential } from '../callers/lock-credential.ts';
import type { Database } from '../database/connect.ts';
import type { RouteHandlers } from '../generated/fastify.gen.ts';
import type { ChildClaim, ListChildrenData } from '../generated/types.gen.ts';
import { requirePrincipal } from '../http/request-context.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { loadPublicHandles, type PublicHandles } from '../subjects/load-public-handles.ts';
import type { Naming } from '../subjects/naming.ts';
import { presentAgent } from './agent.presenter.ts';
import { acknowledgeChild, listChildClaims, type ShownClaim } from './child-claims.ts';

export interface ChildClaimHandlerParts {
  database: Database;
  backend: ScoringBackend;
  naming: Naming;
}

type ChildClaimHandlers = Pick<
  RouteHandlers,
  'listChildren' | 'acknowledgeChild' | 'withdrawAcknowledgement'
>;

const DEFAULT_LIMIT = 20;

/** What others build on a creator's listings, for the console: translates requests and answers, decides nothing. */
export function createChildClaimHandlers({
  database,
  backend,
  naming,
}: ChildClaimHandlerParts): ChildClaimHandlers {
  async function judge(request: FastifyRequest, childAgentId: string, acknowledged: boolean) {
    const principal = requirePrincipal(request);
    const claim = await acknowledgeChild(database, {
      accountId: principal.accountId,
      childAgentId,
      acknowledged,
      backend,
      lockCredential: (connection) => lockCredential(connection, principal),
    });
    const handles = await loadPublicHandles(database, [claim.record], naming);
    return presentClaim(claim, handles);
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
      const records = claims.map(({ record }) => record);
      const handles = await loadPublicHandles(database, records, naming);
      const data = claims.map((claim) => presentClaim(claim, handles));
      return reply.code(200).send({ data, nextCursor });
    },
    async acknowledgeChild(request, reply) {
      const claim = await judge(request as FastifyRequest, request.params.childId, true);
      return reply.code(200).send(claim);
    },
    async withdrawAcknowledgement(request, reply) {
      const claim = await judge(request as FastifyRequest, request.params.childId, false);
      return reply.code(200).send(claim);
    },
  };
}

function presentClaim(claim: ShownClaim, handles: PublicHandles): ChildClaim {
  return {
    agent: presentAgent(claim.record, handles),
    parentId: claim.parentAgentId,
    relation: claim.relation as ChildClaim['relation'],
    acknowledgedAt: claim.acknowledgedAt,
    trustEquityFlow: claim.trustEquityFlow,
  };
}
