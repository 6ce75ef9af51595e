import { linkAgents } from '../../../directory/lists/link-agents.ts';
import { listOwnAgents, waysOfOwn } from '../../../directory/own-agents/own-agents.ts';
import { refreshScore } from '../../../directory/own-agents/refresh-score.ts';
import { DomainError } from '../../../platform/errors/domain-error.ts';
import type { ConsoleResponse, Page } from '../frame/console-response.ts';
import type { ConsoleDependencies, ConsoleRouter } from '../frame/console-router.ts';
import { hrefWith } from '../frame/filters.tsx';
import { pathParameter, type Visit } from '../frame/visit.ts';
import { AgentList, OUTCOMES, type Refreshed } from './agent-list.page.tsx';
import { findOwnListing } from './listing-steps.tsx';
import { AGENT_ID } from './registration-form.ts';
import { loadWaitingClaims } from './waiting-claims.tsx';

const LIST = '/console/agents';
const PAGE_SIZE = 20;

/** Registers the pages that list the account's own listings and refresh their scores, free of charge. */
export function registerAgentListPages(router: ConsoleRouter, parts: ConsoleDependencies): void {
  router.get(LIST, (visit) => showAgents(parts, visit, visit.query.get('cursor'), null));
  router.post(`${LIST}/:id/score`, LIST, (visit) => refresh(parts, visit));
}

async function refresh(parts: ConsoleDependencies, visit: Visit): Promise<ConsoleResponse> {
  const { database, backend } = parts;
  const { accountId, lockCredential, form } = visit;
  const agentId = pathParameter(visit, 'id');
  if (!AGENT_ID.test(agentId)) throw new DomainError('not_found', 'You have no listing with this id.');
  // Return to the page of the list that the form came from.
  const cursor = form.get('cursor');
  try {
    const { outcome } = await refreshScore(database, { accountId, agentId, backend, lockCredential });
    return { redirectTo: hrefWith(LIST, { cursor, done: outcome, id: agentId }) };
  } catch (error) {
    if (!(error instanceof DomainError) || !SHOWN_ON_PAGE.has(error.code)) throw error;
    return { ...(await showAgents(parts, visit, cursor, error.message)), status: error.status };
  }
}

/** Failures shown on the list itself; the score stays unchanged. */
const SHOWN_ON_PAGE: ReadonlySet<string> = new Set(['rate_limited', 'unavailable']);

async function showAgents(
  parts: ConsoleDependencies,
  visit: Visit,
  cursor: string | null,
  failure: string | null,
): Promise<Page> {
  const { database, publicUrls } = parts;
  const { records, nextCursor } = await listOwnAgents(database, visit.accountId, {
    cursor: cursor || null,
    limit: PAGE_SIZE,
  });
  const content = (
    <AgentList
      agents={await linkAgents(database, records, publicUrls)}
      ways={await waysOfOwn(database, records)}
      claims={await loadWaitingClaims(parts, visit)}
      cursor={cursor || null}
      nextCursor={nextCursor}
      refreshed={await findRefreshed(parts, visit)}
      failure={failure}
    />
  );
  return { title: 'Agents', tab: 'agents', content };
}

/** Returns the refreshed listing that the URL's query names; null if it names none. */
async function findRefreshed(
  parts: ConsoleDependencies,
  { query, accountId }: Visit,
): Promise<Refreshed | null> {
  const outcome = OUTCOMES.find((each) => each === query.get('done'));
  if (!outcome) return null;
  const agent = await findOwnListing(parts, accountId, query.get('id') ?? '');
  return agent && { agent, outcome };
}
