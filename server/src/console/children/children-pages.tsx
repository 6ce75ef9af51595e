import { getAgent } from '../../directory/get-agent.ts';
import { linkAgents } from '../../directory/lists/link-agents.ts';
import {
  acknowledgeChild,
  listChildClaims,
  type ShownClaim,
} from '../../directory/own-agents/child-claims.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { Answer, Page } from '../frame/answer.ts';
import type { ConsoleRouter } from '../frame/console-router.ts';
import { partOf, type Visit } from '../frame/visit.ts';
import { ChildList, type LinkedClaim } from './child-list-view.tsx';

const LIST = '/console/children';
const PAGE_SIZE = 20;

/** What others build on the account's agents and skills, to acknowledge or not. */
export function registerChildrenPages(router: ConsoleRouter, parts: ConsoleParts): void {
  router.show(LIST, (visit) => showChildren(parts, visit));
  router.take(`${LIST}/:id/acknowledge`, LIST, (visit) => judge(parts, visit, true));
  router.take(`${LIST}/:id/withdraw`, LIST, (visit) => judge(parts, visit, false));
}

async function judge(
  { database, backend }: ConsoleParts,
  visit: Visit,
  acknowledged: boolean,
): Promise<Answer> {
  const { accountId, lockCredential } = visit;
  const childAgentId = partOf(visit, 'id');
  await acknowledgeChild(database, { accountId, childAgentId, acknowledged, backend, lockCredential });
  return { redirectTo: `${LIST}?done=${acknowledged ? 'acknowledged' : 'withdrawn'}` };
}

const SHOWN: Readonly<Record<string, boolean>> = { yes: true, no: false };

async function showChildren(parts: ConsoleParts, visit: Visit): Promise<Page> {
  const { query, accountId } = visit;
  const asked = query.get('acknowledged') ?? '';
  const acknowledged = Object.hasOwn(SHOWN, asked) ? (SHOWN[asked] ?? null) : null;
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

/** Claims with the pages of the child and of one's own listing that it names. */
async function linkClaims(
  { database, naming }: ConsoleParts,
  claims: readonly ShownClaim[],
): Promise<LinkedClaim[]> {
  const parentIds = [...new Set(claims.map(({ parentAgentId }) => parentAgentId))];
  const parents = await Promise.all(parentIds.map((id) => getAgent(database, id)));
  const agents = await linkAgents(database, [...claims.map(({ record }) => record), ...parents], naming);
  const byId = new Map(agents.map((agent) => [agent.record.agentId, agent]));
  return claims.flatMap((claim) => {
    const [child, parent] = [byId.get(claim.record.agentId), byId.get(claim.parentAgentId)];
    return child && parent ? [{ claim, child, parent }] : [];
  });
}
