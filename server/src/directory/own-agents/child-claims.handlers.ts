import { lockCredential } from '../../callers/lock-credential.ts';
import type { Database } from '../../database/connect.ts';
import type { HandlersOf, RequestOf } from '../../http/contract/handlers-of.ts';
import { requirePrincipal } from '../../http/request-context.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import { loadPublicHandles } from '../../subjects/load-public-handles.ts';
import type { Naming } from '../../subjects/naming.ts';
import { presentClaim } from './child-claims.presenter.ts';
import { acknowledgeChild, listChildClaims } from './child-claims.ts';

export interface ChildClaimHandlerParts {
  database: Database;
  backend: ScoringBackend;
  naming: Naming;
}

type Judgement = 'acknowledgeChild' | 'withdrawAcknowledgement';

/** What others build on a creator's listings, for the console: translates requests and answers, decides nothing. */
export function createChildClaimHandlers({
  database,
  backend,
  naming,
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
    const handles = await loadPublicHandles(database, [claim.record], naming);
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
      const handles = await loadPublicHandles(database, records, naming);
      const data = claims.map((claim) => presentClaim(claim, handles));
      return { status: 200, body: { data, nextCursor } };
    },
    acknowledgeChild: (request) => judge(request, true),
    withdrawAcknowledgement: (request) => judge(request, false),
  };
}
