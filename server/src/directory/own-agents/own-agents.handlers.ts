import { lockCredential } from '../../access/callers/session.ts';
import type { PublicHandles } from '../../catalog/subjects/load-public-paths.ts';
import { loadPublicHandles } from '../../catalog/subjects/load-public-paths.ts';
import type { PublicUrls } from '../../catalog/subjects/public-path.ts';
import type { ChildClaim } from '../../generated/types.gen.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { HandlersOf, RequestOf } from '../../platform/http/contract/handlers-of.ts';
import { requirePrincipal } from '../../platform/http/request-context.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import { presentAgent } from '../agents/agent.presenter.ts';
import { loadFlags } from '../agents/get-agent.ts';
import type { ShownClaim } from './child-claims.ts';
import { acknowledgeChild, listChildClaims } from './child-claims.ts';
import { listOwnAgents } from './own-agents.ts';
import { refreshScore } from './refresh-score.ts';

export interface OwnAgentHandlerParts {
  database: Database;
  backend: ScoringBackend;
  publicUrls: PublicUrls;
}

/** Creates the console handlers for an account's own listings and their scores. */
export function createOwnAgentHandlers({
  database,
  backend,
  publicUrls,
}: OwnAgentHandlerParts): HandlersOf<'listOwnAgents' | 'refreshScore'> {
  return {
    async listOwnAgents(request) {
      const { accountId } = requirePrincipal(request);
      const { cursor = null, limit } = request.query;
      const { records, nextCursor } = await listOwnAgents(database, accountId, { cursor, limit });
      const handles = await loadPublicHandles(database, records, publicUrls);
      const flags = await loadFlags(database, records);
      const data = records.map((record) => presentAgent(record, handles, flags));
      return { status: 200, body: { data, nextCursor } };
    },
    async refreshScore(request) {
      const principal = requirePrincipal(request);
      const { record } = await refreshScore(database, {
        accountId: principal.accountId,
        agentId: request.params.id,
        backend,
        lockCredential: (connection) => lockCredential(connection, principal),
      });
      const handles = await loadPublicHandles(database, [record], publicUrls);
      return { status: 200, body: presentAgent(record, handles, await loadFlags(database, [record])) };
    },
  };
}

export interface ChildClaimHandlerParts {
  database: Database;
  backend: ScoringBackend;
  publicUrls: PublicUrls;
}

type Judgement = 'acknowledgeChild' | 'withdrawAcknowledgement';

/** Creates the console handlers for listings that name an account's listing as parent. */
export function createChildClaimHandlers({
  database,
  backend,
  publicUrls,
}: ChildClaimHandlerParts): HandlersOf<'listChildren' | Judgement> {
  async function judge(request: RequestOf<Judgement>, acknowledged: boolean) {
    const principal = requirePrincipal(request);
    const claim = await acknowledgeChild(database, {
      accountId: principal.accountId,
      childAgentId: request.params.childId,
      acknowledged,
      backend,
      lockCredential: (connection) => lockCredential(connection, principal),
    });
    const handles = await loadPublicHandles(database, [claim.record], publicUrls);
    return { status: 200, body: presentClaim(claim, handles) } as const;
  }
  return {
    async listChildren(request) {
      const { accountId } = requirePrincipal(request);
      const { acknowledged = null, cursor = null, limit } = request.query;
      const { claims, nextCursor } = await listChildClaims(database, accountId, {
        acknowledged,
        limit,
        cursor,
      });
      const records = claims.map(({ record }) => record);
      const handles = await loadPublicHandles(database, records, publicUrls);
      const data = claims.map((claim) => presentClaim(claim, handles));
      return { status: 200, body: { data, nextCursor } };
    },
    acknowledgeChild: (request) => judge(request, true),
    withdrawAcknowledgement: (request) => judge(request, false),
  };
}

/** Maps a claim to its API fields. */
function presentClaim(claim: ShownClaim, handles: PublicHandles): ChildClaim {
  return {
    agent: presentAgent(claim.record, handles),
    parentId: claim.parentAgentId,
    relation: claim.relation,
    acknowledgedAt: claim.acknowledgedAt,
    trustEquityFlow: claim.trustEquityFlow,
  };
}
