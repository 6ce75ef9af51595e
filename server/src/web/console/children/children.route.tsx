import { getAgent } from '../../../directory/agents/get-agent.ts';
import { linkAgents } from '../../../directory/lists/link-agents.ts';
import {
  acknowledgeChild,
  listChildClaims,
  type ShownClaim,
} from '../../../directory/own-agents/child-claims.ts';
import type { ConsoleResponse, Page } from '../frame/console-document.tsx';
import {
  type ConsoleDependencies,
  type ConsoleRouter,
  pathParameter,
  type Visit,
} from '../frame/console-router.ts';
import { ChildList, type LinkedClaim } from './children.page.tsx';

const LIST = '/console/children';
const PAGE_SIZE = 20;

/**
 * Registers the page that lists the children of the account's listings, and the routes that acknowledge a child's claim
 * or withdraw the acknowledgement.
 */
export function registerChildrenPages(router: ConsoleRouter, parts: ConsoleDependencies): void {
  router.get(LIST, (visit) => showChildren(parts, visit));
  router.post(`${LIST}/:id/acknowledge`, LIST, (visit) => setAcknowledged(parts, visit, true));
  router.post(`${LIST}/:id/withdraw`, LIST, (visit) => setAcknowledged(parts, visit, false));
}

async function setAcknowledged(
  { database, backend }: ConsoleDependencies,
  visit: Visit,
  acknowledged: boolean,
): Promise<ConsoleResponse> {
  const { accountId, lockCredential } = visit;
  const childAgentId = pathParameter(visit, 'id');
  await acknowledgeChild(database, { accountId, childAgentId, acknowledged, backend, lockCredential });
  return { redirectTo: `${LIST}?done=${acknowledged ? 'acknowledged' : 'withdrawn'}` };
}

const ACKNOWLEDGED_FILTERS: Readonly<Record<string, boolean>> = { yes: true, no: false };

async function showChildren(parts: ConsoleDependencies, visit: Visit): Promise<Page> {
  const { query, accountId } = visit;
  const asked = query.get('acknowledged') ?? '';
  const acknowledged = Object.hasOwn(ACKNOWLEDGED_FILTERS, asked)
    ? (ACKNOWLEDGED_FILTERS[asked] ?? null)
    : null;
  const cursor = query.get('cursor');
  const page = await listChildClaims(parts.database, accountId, { acknowledged, cursor, limit: PAGE_SIZE });
  const content = (
    <ChildList
      claims={await linkClaims(parts, page.claims)}
      acknowledged={acknowledged}
      nextCursor={page.nextCursor}
      isFirst={cursor === null}
      query={query}
    />
  );
  return { title: 'Built on your work', tab: 'children', content };
}

/** Returns the claims with the listings of child and parent. */
async function linkClaims(
  { database, publicUrls }: ConsoleDependencies,
  claims: readonly ShownClaim[],
): Promise<LinkedClaim[]> {
  const parentIds = [...new Set(claims.map(({ parentAgentId }) => parentAgentId))];
  const parents = await Promise.all(parentIds.map((id) => getAgent(database, id)));
  const agents = await linkAgents(database, [...claims.map(({ record }) => record), ...parents], publicUrls);
  const byId = new Map(agents.map((agent) => [agent.record.agentId, agent]));
  return claims.flatMap((claim) => {
    const [child, parent] = [byId.get(claim.record.agentId), byId.get(claim.parentAgentId)];
    return child && parent ? [{ claim, child, parent }] : [];
  });
}
