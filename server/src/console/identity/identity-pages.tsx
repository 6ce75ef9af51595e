import { DomainError } from '../../domain-error.ts';
import { presentClaim } from '../../proofs/claim.presenter.ts';
import { linkAccount } from '../../proofs/link-account.ts';
import { presentLinkedAccount } from '../../proofs/linked-accounts.presenter.ts';
import { findClaimsOf } from '../../proofs/open-claims.ts';
import { readLinks, requireLink } from '../../proofs/read-links.ts';
import { removeLinkedAccount } from '../../proofs/remove-linked-account.ts';
import { verifyLinkedAccount } from '../../proofs/verify-linked-account.ts';
import { stepPath } from '../agents/listing-steps.tsx';
import { findOwnListing } from '../agents/own-listing.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { Answer, Page } from '../frame/answer.ts';
import type { ConsoleRouter } from '../frame/console-router.ts';
import { addressWith } from '../frame/filters.tsx';
import { NONE, type Problems, problemOf, WHOLE } from '../frame/problems.ts';
import { requireRecent } from '../frame/require-recent.ts';
import { partOf, type Visit } from '../frame/visit.ts';
import { checkLinkForm, type LinkForm, readLinkForm } from './link-form.ts';
import { LinkList } from './link-list-view.tsx';
import { LinkView, RemoveQuestion } from './link-view.tsx';
import { readablePlaces } from './readable-places.ts';

const LIST = '/console/accounts';
const ONE = `${LIST}/:id`;

/** Accounts elsewhere and their proof, step by step: name it, publish a code there, have it checked. */
export function registerIdentityPages(router: ConsoleRouter, parts: ConsoleParts): void {
  router.show(LIST, (visit) => showLinks(parts, visit, readLinkForm(visit.query), NONE));
  router.take(LIST, LIST, (visit) => begin(parts, visit));
  router.show(ONE, (visit) => showLink(parts, visit, null));
  router.take(`${ONE}/verify`, ONE, (visit) => verify(parts, visit));
  router.show(`${ONE}/remove`, async (visit) => {
    await requireRecent(parts, visit);
    const link = await requireLink(parts.database, visit.accountId, partOf(visit, 'id'));
    const content = <RemoveQuestion link={presentLinkedAccount(link)} />;
    return { title: 'Unlink an account', tab: 'identity', content };
  });
  router.take(`${ONE}/remove`, LIST, async (visit) => {
    const { accountId, lockRecentSignIn } = visit;
    const removal = { accountId, linkId: partOf(visit, 'id'), backend: parts.backend, lockRecentSignIn };
    await removeLinkedAccount(parts.database, removal);
    return { redirectTo: `${LIST}?done=removed` };
  });
}

async function begin(parts: ConsoleParts, visit: Visit): Promise<Answer> {
  const { database, hosts } = parts;
  const { accountId, lockRecentSignIn } = visit;
  const form = readLinkForm(visit.form);
  const place = readablePlaces(parts).find(({ host }) => host === form.host);
  const problems = checkLinkForm(form, place !== undefined);
  if (place === undefined || problems.size > 0) return showLinks(parts, visit, form, problems);
  try {
    const link = await linkAccount(database, hosts, {
      ...place,
      handle: form.handle,
      accountId,
      lockRecentSignIn,
    });
    return { redirectTo: addressWith(`${LIST}/${link.id}`, { for: await listingMeant(parts, visit) }) };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'invalid_request') throw error;
    return showLinks(parts, visit, form, problemOf(WHOLE, error.message));
  }
}

async function verify(parts: ConsoleParts, visit: Visit): Promise<Answer> {
  const { database, backend, hosts } = parts;
  const { accountId, lockRecentSignIn } = visit;
  const linkId = partOf(visit, 'id');
  try {
    await verifyLinkedAccount(database, { accountId, linkId, backend, hosts, lockRecentSignIn });
    const listing = await findOwnListing(parts, accountId, visit.query.get('for') ?? '');
    if (listing === null) return { redirectTo: `${LIST}/${linkId}?done=proved` };
    const { agentId, verified } = listing.record;
    const next = verified
      ? `${stepPath(agentId, 'Badge')}?done=claimed`
      : `${stepPath(agentId, 'Claim')}?done=proved`;
    return { redirectTo: next };
  } catch (error) {
    if (!(error instanceof DomainError) || !TOLD_ON_THE_PAGE.has(error.code)) throw error;
    return { ...(await showLink(parts, visit, error.message)), status: error.status };
  }
}

/** The code is not there yet, or the host cannot be read just now: what to do stands on the page itself. */
const TOLD_ON_THE_PAGE: ReadonlySet<string> = new Set(['proof_not_found', 'code_expired', 'unavailable']);

async function showLinks(
  parts: ConsoleParts,
  visit: Visit,
  form: LinkForm,
  problems: Problems,
): Promise<Page> {
  const { database } = parts;
  const { handle } = await visit.account();
  const links = await readLinks(database, visit.accountId);
  const claims = await findClaimsOf(database, visit.accountId);
  const content = (
    <LinkList
      handle={handle}
      links={links.map(presentLinkedAccount)}
      claims={claims.map((claim) => presentClaim(claim, visit.accountId))}
      hosts={readablePlaces(parts).map(({ host }) => host)}
      form={form}
      listingId={await listingMeant(parts, visit)}
      problems={problems}
      query={visit.query}
    />
  );
  return { title: 'Identity', tab: 'identity', status: problems.size > 0 ? 400 : 200, content };
}

/** The listing that a proof is for, as the page that led here says it; null for none of the visitor's. */
async function listingMeant(parts: ConsoleParts, { accountId, form, query }: Visit): Promise<string | null> {
  const listing = await findOwnListing(parts, accountId, form.get('for') ?? query.get('for') ?? '');
  return listing?.record.agentId ?? null;
}

async function showLink(parts: ConsoleParts, visit: Visit, failure: string | null): Promise<Page> {
  const { database } = parts;
  const link = await requireLink(database, visit.accountId, partOf(visit, 'id'));
  const isExpired = link.codeExpired && link.state === 'pending';
  const content = (
    <LinkView
      link={presentLinkedAccount(link)}
      isCodeExpired={isExpired}
      failure={failure}
      listingId={await listingMeant(parts, visit)}
      query={visit.query}
    />
  );
  return { title: `${link.handle} on ${link.host}`, tab: 'identity', content };
}
