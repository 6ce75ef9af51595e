import { linkAgents } from '../../directory/lists/link-agents.ts';
import { listOwnAgents } from '../../directory/own-agents/own-agents.ts';
import { refreshScore } from '../../directory/own-agents/refresh-score.ts';
import { waysOfOwn } from '../../directory/own-agents/ways-of-own.ts';
import { DomainError } from '../../domain-error.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { Answer, Page } from '../frame/answer.ts';
import type { ConsoleRouter } from '../frame/console-router.ts';
import { addressWith } from '../frame/filters.tsx';
import { partOf, type Visit } from '../frame/visit.ts';
import { AgentList, OUTCOMES, type Refreshed } from './agent-list-view.tsx';
import { findOwnListing } from './own-listing.ts';
import { AGENT_ID } from './registration-form.ts';

const LIST = '/console/agents';
const PAGE_SIZE = 20;

/** What the account has listed, with its scores, which are refreshed here free of charge. */
export function registerAgentListPages(router: ConsoleRouter, parts: ConsoleParts): void {
  router.show(LIST, (visit) => showAgents(parts, visit, visit.query.get('cursor'), null));
  router.take(`${LIST}/:id/score`, LIST, (visit) => refresh(parts, visit));
}

async function refresh(parts: ConsoleParts, visit: Visit): Promise<Answer> {
  const { database, backend } = parts;
  const { accountId, lockCredential, form } = visit;
  const agentId = partOf(visit, 'id');
  if (!AGENT_ID.test(agentId)) throw new DomainError('not_found', 'You have no listing with this id.');
  // Back to the page of the list that the button stood on.
  const cursor = form.get('cursor');
  try {
    const { outcome } = await refreshScore(database, { accountId, agentId, backend, lockCredential });
    return { redirectTo: addressWith(LIST, { cursor, done: outcome, id: agentId }) };
  } catch (error) {
    if (!(error instanceof DomainError) || !TOLD_ON_THE_PAGE.has(error.code)) throw error;
    return { ...(await showAgents(parts, visit, cursor, error.message)), status: error.status };
  }
}

/** The score stays as it was: what to do stands on the page itself. */
const TOLD_ON_THE_PAGE: ReadonlySet<string> = new Set(['rate_limited', 'unavailable']);

async function showAgents(
  parts: ConsoleParts,
  visit: Visit,
  cursor: string | null,
  failure: string | null,
): Promise<Page> {
  const { database, naming } = parts;
  const { records, nextCursor } = await listOwnAgents(database, visit.accountId, {
    cursor: cursor || null,
    limit: PAGE_SIZE,
  });
  const content = (
    <AgentList
      agents={await linkAgents(database, records, naming)}
      ways={await waysOfOwn(database, records)}
      cursor={cursor || null}
      nextCursor={nextCursor}
      refreshed={await findRefreshed(parts, visit)}
      failure={failure}
    />
  );
  return { title: 'Agents', tab: 'agents', content };
}

/** What the address says was just refreshed; null where it says nothing of the kind. */
async function findRefreshed(parts: ConsoleParts, { query, accountId }: Visit): Promise<Refreshed | null> {
  const outcome = OUTCOMES.find((each) => each === query.get('done'));
  if (!outcome) return null;
  const agent = await findOwnListing(parts, accountId, query.get('id') ?? '');
  return agent && { agent, outcome };
}
