import type { ChildClaim } from '../../generated/types.gen.ts';
import type { PublicHandles } from '../../subjects/load-public-handles.ts';
import { presentAgent } from '../agent.presenter.ts';
import type { ShownClaim } from './child-claims.ts';

/** What another listing claims of one's own, under the wire's names. */
export function presentClaim(claim: ShownClaim, handles: PublicHandles): ChildClaim {
  return {
    agent: presentAgent(claim.record, handles),
    parentId: claim.parentAgentId,
    relation: claim.relation,
    acknowledgedAt: claim.acknowledgedAt,
    trustEquityFlow: claim.trustEquityFlow,
  };
}
