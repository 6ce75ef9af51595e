import type { ListedAgent } from '../../../directory/lists/link-agents.ts';
import { checkableHosts } from '../../../hosts/lookup/host-accounts.ts';
import { findLastCheck } from '../../../intake/refresh/store-reading.ts';
import { readLinks } from '../../../ownership/proofs/link-account.ts';
import { DomainError } from '../../../platform/errors/domain-error.ts';
import { ownerOf } from '../../components/claim-path.ts';
import type { Page } from '../frame/console-response.ts';
import type { ConsoleDependencies, ConsoleRouter } from '../frame/console-router.ts';
import { pathParameter, type Visit } from '../frame/visit.ts';
import { BadgeView } from './badge.page.tsx';
import { ClaimView, type RepositoryOwner } from './claim.page.tsx';
import { findOwnListing } from './listing-steps.tsx';

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
    { hosts, perHour: config.repositoryRefreshPerHour },
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
