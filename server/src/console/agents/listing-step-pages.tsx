import type { ListedAgent } from '../../directory/lists/link-agents.ts';
import { DomainError } from '../../domain-error.ts';
import { readLinks } from '../../proofs/read-links.ts';
import { lastLook } from '../../refresh/last-look.ts';
import { ownerOf } from '../../ui/claim-path.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { Page } from '../frame/answer.ts';
import type { ConsoleRouter } from '../frame/console-router.ts';
import { partOf, type Visit } from '../frame/visit.ts';
import { readablePlaces } from '../identity/readable-places.ts';
import { BadgeView } from './badge-view.tsx';
import { ClaimView, type Owner } from './claim-view.tsx';
import { findOwnListing } from './own-listing.ts';

const ONE = '/console/agents/:id';

/** What follows a registration, each step with an address of its own: claiming the listing, and its badge. */
export function registerListingStepPages(router: ConsoleRouter, parts: ConsoleParts): void {
  router.show(`${ONE}/claim`, (visit) => showClaim(parts, visit));
  router.show(`${ONE}/badge`, async (visit) => {
    const agent = await requireOwnListing(parts, visit);
    const content = <BadgeView agent={agent} site={parts.naming.site.origin} query={visit.query} />;
    return { title: `Badge of ${agent.record.name}`, tab: 'agents', content };
  });
}

async function requireOwnListing(parts: ConsoleParts, visit: Visit): Promise<ListedAgent> {
  const agent = await findOwnListing(parts, visit.accountId, partOf(visit, 'id'));
  if (agent) return agent;
  throw new DomainError('not_found', 'You have no listing with this id.');
}

const DONE = ['registered', 'taken', 'proved'] as const;

async function showClaim(parts: ConsoleParts, visit: Visit): Promise<Page> {
  const { database, hosts, config } = parts;
  const agent = await requireOwnListing(parts, visit);
  const { subjectId: listingId, repositoryUrl, name } = agent.record;
  const owner = ownerOf(repositoryUrl);
  const look = await lastLook(
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
  parts: ConsoleParts,
  { accountId }: Visit,
  { host, handle }: { host: string; handle: string },
): Promise<Owner> {
  const links = await readLinks(parts.database, accountId);
  const link = links.find((each) => each.host === host && each.handle.toLowerCase() === handle.toLowerCase());
  const isReadable = readablePlaces(parts).some((place) => place.host === host);
  return { host, handle, isReadable, link: link ? { id: link.id, state: link.state } : null };
}
