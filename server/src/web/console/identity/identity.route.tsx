import { checkableHosts } from '../../../hosts/lookup/host-accounts.ts';
import { chooseHandle, hasChosenHandle, proposeHandle } from '../../../ownership/handles/choose-handle.ts';
import {
  linkAccount,
  readLinks,
  removeLinkedAccount,
  requireLink,
} from '../../../ownership/proofs/link-account.ts';
import { presentLinkedAccount } from '../../../ownership/proofs/linked-accounts.presenter.ts';
import { verifyLinkedAccount } from '../../../ownership/proofs/verify-linked-account.ts';
import { DomainError } from '../../../platform/errors/domain-error.ts';
import { CHOOSE_HANDLE, CONSOLE, isPage, nextPath } from '../../../platform/http/redirect-paths.ts';
import { loadWaitingClaims } from '../agents/claim.page.tsx';
import { findOwnListing, stepPath } from '../agents/listing-steps.tsx';
import type { ConsoleResponse, Page } from '../frame/console-document.tsx';
import {
  type ConsoleDependencies,
  type ConsoleRouter,
  pathParameter,
  requireRecentVisitor,
  type Visit,
} from '../frame/console-router.ts';
import { NO_PROBLEMS, type Problems, readLine, singleProblem, WHOLE_FORM } from '../frame/fields.tsx';
import { hrefWith } from '../frame/filters.tsx';
import { HandleView } from './handle.page.tsx';
import { LinkList } from './identity.page.tsx';
import {
  checkLinkForm,
  type LinkForm,
  LinkView,
  readLinkForm,
  UnlinkConfirmation,
} from './linked-account.page.tsx';

const LIST = '/console/accounts';
const ONE = `${LIST}/:id`;

/** Registers the pages that prove accounts on other sites: add an account, publish a code there, verify. */
export function registerIdentityPages(router: ConsoleRouter, parts: ConsoleDependencies): void {
  router.get(LIST, (visit) => showLinks(parts, visit, readLinkForm(visit.query), NO_PROBLEMS));
  router.post(LIST, LIST, (visit) => addAccount(parts, visit));
  router.get(ONE, (visit) => showLink(parts, visit, null));
  router.post(`${ONE}/verify`, ONE, (visit) => verify(parts, visit));
  router.get(`${ONE}/remove`, async (visit) => {
    await requireRecentVisitor(parts, visit);
    const link = await requireLink(parts.database, visit.accountId, pathParameter(visit, 'id'));
    const content = <UnlinkConfirmation link={presentLinkedAccount(link)} />;
    return { title: 'Unlink an account', tab: 'identity', content };
  });
  router.post(`${ONE}/remove`, LIST, async (visit) => {
    const { accountId, lockRecentSignIn } = visit;
    const removal = {
      accountId,
      linkId: pathParameter(visit, 'id'),
      backend: parts.backend,
      lockRecentSignIn,
    };
    await removeLinkedAccount(parts.database, removal);
    return { redirectTo: `${LIST}?done=removed` };
  });
}

async function addAccount(parts: ConsoleDependencies, visit: Visit): Promise<ConsoleResponse> {
  const { database, hosts, config } = parts;
  const { accountId, lockRecentSignIn } = visit;
  const form = readLinkForm(visit.form);
  const place = checkableHosts(hosts, config.hostApiUrls).find(({ host }) => host === form.host);
  const problems = checkLinkForm(form, place !== undefined);
  if (place === undefined || problems.size > 0) return showLinks(parts, visit, form, problems);
  try {
    const link = await linkAccount(database, hosts, {
      ...place,
      handle: form.handle,
      accountId,
      lockRecentSignIn,
    });
    return { redirectTo: hrefWith(`${LIST}/${link.id}`, { for: await claimedListing(parts, visit) }) };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'invalid_request') throw error;
    return showLinks(parts, visit, form, singleProblem(WHOLE_FORM, error.message));
  }
}

async function verify(parts: ConsoleDependencies, visit: Visit): Promise<ConsoleResponse> {
  const { database, backend, hosts } = parts;
  const { accountId, lockRecentSignIn } = visit;
  const linkId = pathParameter(visit, 'id');
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
    if (!(error instanceof DomainError) || !SHOWN_ON_PAGE.has(error.code)) throw error;
    return { ...(await showLink(parts, visit, error.message)), status: error.status };
  }
}

/** Error codes of failed verifications that are shown on the page of the linked account. */
const SHOWN_ON_PAGE: ReadonlySet<string> = new Set(['proof_not_found', 'code_expired', 'unavailable']);

async function showLinks(
  parts: ConsoleDependencies,
  visit: Visit,
  form: LinkForm,
  problems: Problems,
): Promise<Page> {
  const { database, hosts, config } = parts;
  const { handle } = await visit.account();
  const links = await readLinks(database, visit.accountId);
  const content = (
    <LinkList
      handle={handle}
      links={links.map(presentLinkedAccount)}
      claims={await loadWaitingClaims(parts, visit)}
      hosts={checkableHosts(hosts, config.hostApiUrls).map(({ host }) => host)}
      form={form}
      listingId={await claimedListing(parts, visit)}
      problems={problems}
      query={visit.query}
    />
  );
  return { title: 'Identity', tab: 'identity', status: problems.size > 0 ? 400 : 200, content };
}

/**
 * Returns the `AGT-` id of the listing that the visitor wants to claim with the proof. The form or the URL's query
 * names it. Returns null unless it is the visitor's own listing.
 */
async function claimedListing(
  parts: ConsoleDependencies,
  { accountId, form, query }: Visit,
): Promise<string | null> {
  const listing = await findOwnListing(parts, accountId, form.get('for') ?? query.get('for') ?? '');
  return listing?.record.agentId ?? null;
}

async function showLink(parts: ConsoleDependencies, visit: Visit, failure: string | null): Promise<Page> {
  const { database } = parts;
  const link = await requireLink(database, visit.accountId, pathParameter(visit, 'id'));
  const isExpired = link.codeExpired && link.state === 'pending';
  const content = (
    <LinkView
      link={presentLinkedAccount(link)}
      isCodeExpired={isExpired}
      failure={failure}
      listingId={await claimedListing(parts, visit)}
      query={visit.query}
    />
  );
  return { title: `${link.handle} on ${link.host}`, tab: 'identity', content };
}

/** Registers the page on which the account chooses or changes its handle. */
export function registerHandlePages(router: ConsoleRouter, parts: ConsoleDependencies): void {
  router.get(CHOOSE_HANDLE, async (visit) => {
    await requireRecentVisitor(parts, visit);
    return showHandle(parts, visit, null, NO_PROBLEMS);
  });
  router.post(CHOOSE_HANDLE, CHOOSE_HANDLE, (visit) => choose(parts, visit));
}

async function choose(parts: ConsoleDependencies, visit: Visit): Promise<ConsoleResponse> {
  const { accountId, lockRecentSignIn } = visit;
  const wanted = readLine(visit.form, 'handle').replace(/^@/, '');
  const isFirst = !(await hasChosenHandle(parts.database, accountId));
  try {
    await chooseHandle(parts.database, parts.backend, { accountId, handle: wanted, lockRecentSignIn });
    if (!isFirst) return { redirectTo: `${CHOOSE_HANDLE}?done=changed` };
    return { redirectTo: requestedPage(parts, visit.form) ?? '/console?done=handle' };
  } catch (error) {
    if (!(error instanceof DomainError) || !HANDLE_ERRORS.has(error.code)) throw error;
    return showHandle(parts, visit, wanted, singleProblem('handle', error.message));
  }
}

const HANDLE_ERRORS: ReadonlySet<string> = new Set(['invalid_request', 'handle_taken']);

async function showHandle(
  parts: ConsoleDependencies,
  { accountId, query, form }: Visit,
  wanted: string | null,
  problems: Problems,
): Promise<Page> {
  const { handle, proposed } = await proposeHandle(parts.database, accountId);
  const next = requestedPage(parts, form) ?? requestedPage(parts, query);
  const content = (
    <HandleView
      handle={handle}
      wanted={wanted ?? proposed ?? ''}
      next={handle === null ? next : null}
      problems={problems}
      query={query}
    />
  );
  return { title: 'Your handle', tab: 'identity', status: problems.size > 0 ? 400 : 200, content };
}

/**
 * Returns the page to continue to after the handle is chosen; null if none is requested, or if it is this page or the
 * overview, which redirects here until a handle is chosen.
 */
function requestedPage({ publicUrls }: ConsoleDependencies, said: URLSearchParams): string | null {
  const next = nextPath(said.get('next'), publicUrls.site.origin);
  return next === null || isPage(next, CHOOSE_HANDLE) || isPage(next, CONSOLE) ? null : next;
}
