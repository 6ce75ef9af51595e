import { type ListedAgent, linkAgents } from '../../../directory/lists/link-agents.ts';
import { improvementsOfOwn, listOwnAgents } from '../../../directory/own-agents/own-agents.ts';
import { refreshScore } from '../../../directory/own-agents/refresh-score.ts';
import { registerAgent } from '../../../directory/own-agents/register-agent.ts';
import { checkableHosts } from '../../../hosts/lookup/host-accounts.ts';
import { findLastCheck } from '../../../intake/refresh/store-reading.ts';
import { hasChosenHandle } from '../../../ownership/handles/choose-handle.ts';
import { readLinks } from '../../../ownership/proofs/link-account.ts';
import { DomainError } from '../../../platform/errors/domain-error.ts';
import { ownerOf } from '../../components/owner-steps.tsx';
import type { ConsoleResponse, Page } from '../frame/console-document.tsx';
import {
  type ConsoleDependencies,
  type ConsoleRouter,
  pathParameter,
  type Visit,
} from '../frame/console-router.ts';
import { NO_PROBLEMS, type Problems, singleProblem, WHOLE_FORM } from '../frame/fields.tsx';
import { hrefWith } from '../frame/filters.tsx';
import { AgentList, OUTCOMES, type Refreshed } from './agent-list.page.tsx';
import { ClaimView, loadWaitingClaims, type RepositoryOwner } from './claim.page.tsx';
import { findOwnListing, stepPath } from './listing-steps.tsx';
import { BadgeView, RegistrationView } from './registration.page.tsx';
import {
  AGENT_ID,
  checkRegistration,
  emptyRegistration,
  type RegistrationForm,
  readRegistrationForm,
  toRegistration,
} from './registration-form.ts';

const LIST = '/console/agents';
const PAGE_SIZE = 20;

/** Registers the page that lists the account's own listings, and the route that refreshes a score, free of charge. */
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

/** Error codes of failed refreshes that are shown on the list itself; the score stays unchanged. */
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
      ways={await improvementsOfOwn(database, records)}
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

const REGISTER = '/console/register';

/** Registers the page with the form that registers an agent or skill under the account's handle. */
export function registerRegistrationPages(router: ConsoleRouter, parts: ConsoleDependencies): void {
  router.get(REGISTER, (visit) => showForm(parts, visit, emptyRegistration(), NO_PROBLEMS));
  router.post(REGISTER, REGISTER, (visit) => register(parts, visit));
}

async function register(parts: ConsoleDependencies, visit: Visit): Promise<ConsoleResponse> {
  const { database, backend, publicUrls, hosts, config } = parts;
  const form = readRegistrationForm(visit.form);
  const problems = checkRegistration(form);
  if (problems.size > 0) return showForm(parts, visit, form, problems);
  try {
    const { id, isNew } = await registerAgent(database, {
      ...toRegistration(form),
      accountId: visit.accountId,
      allowedHosts: config.repositoryHosts,
      backend,
      publicUrls,
      hosts,
      lockCredential: visit.lockCredential,
    });
    return { redirectTo: `${stepPath(id, 'Claim')}?done=${isNew ? 'registered' : 'taken'}` };
  } catch (error) {
    return showForm(parts, visit, form, toProblems(error));
  }
}

/**
 * Maps a registration error to the form field that it is about, or to the whole form; rethrows errors that the form
 * cannot fix.
 */
function toProblems(error: unknown): Problems {
  if (!(error instanceof DomainError)) throw error;
  const { code, message } = error;
  if (code === 'already_registered') return singleProblem('repoHostUrl', message);
  if (code !== 'invalid_request') throw error;
  if (message.startsWith('repoHostUrl '))
    return singleProblem('repoHostUrl', message.replace('repoHostUrl', 'The address'));
  if (message.startsWith('parentId ')) return singleProblem('parentId', 'No agent or skill has this id.');
  if (message.startsWith('It is listed as '))
    return singleProblem('type', message.replace('Leave type out.', 'Choose “Keep the existing type”.'));
  return singleProblem(WHOLE_FORM, message);
}

async function showForm(
  parts: ConsoleDependencies,
  visit: Visit,
  form: RegistrationForm,
  problems: Problems,
): Promise<Page> {
  const { database, config } = parts;
  const content = (
    <RegistrationView
      hasHandle={await hasChosenHandle(database, visit.accountId)}
      form={form}
      problems={problems}
      hosts={config.repositoryHosts}
    />
  );
  return { title: 'Register', tab: 'agents', status: problems.size > 0 ? 400 : 200, content };
}

const ONE = '/console/agents/:id';

/** Registers the pages of the steps after a registration: claim and badge. */
export function registerListingStepPages(router: ConsoleRouter, parts: ConsoleDependencies): void {
  router.get(`${ONE}/claim`, (visit) => showClaim(parts, visit));
  router.get(`${ONE}/badge`, async (visit) => {
    const agent = await requireOwnListing(parts, visit);
    const content = <BadgeView agent={agent} site={parts.publicUrls.site.origin} query={visit.query} />;
    return { title: `Badge of ${agent.record.name}`, tab: 'agents', content };
  });
}

async function requireOwnListing(parts: ConsoleDependencies, visit: Visit): Promise<ListedAgent> {
  const agent = await findOwnListing(parts, visit.accountId, pathParameter(visit, 'id'));
  if (agent) return agent;
  throw new DomainError('not_found', 'You have no listing with this id.');
}

const DONE = ['registered', 'taken', 'proved'] as const;

async function showClaim(parts: ConsoleDependencies, visit: Visit): Promise<Page> {
  const { database, hosts, config } = parts;
  const agent = await requireOwnListing(parts, visit);
  const { subjectId: listingId, repositoryUrl, name } = agent.record;
  const owner = ownerOf(repositoryUrl);
  const look = await findLastCheck(
    database,
    { hosts, perHour: config.refreshPerHour },
    { listingId, host: owner?.host ?? '' },
  );
  const content = (
    <ClaimView
      agent={agent}
      owner={owner && (await howProved(parts, visit, owner))}
      look={look}
      done={DONE.find((each) => each === visit.query.get('done')) ?? null}
    />
  );
  return { title: `Claim ${name}`, tab: 'agents', content };
}

async function howProved(
  { database, hosts, config }: ConsoleDependencies,
  { accountId }: Visit,
  { host, handle }: { host: string; handle: string },
): Promise<RepositoryOwner> {
  const links = await readLinks(database, accountId);
  const link = links.find((each) => each.host === host && each.handle.toLowerCase() === handle.toLowerCase());
  const isReadable = checkableHosts(hosts, config.hostApiUrls).some((place) => place.host === host);
  return { host, handle, isCheckable: isReadable, link: link ? { id: link.id, state: link.state } : null };
}
