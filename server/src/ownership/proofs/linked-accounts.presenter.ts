import type {
  LinkedAccount as WireLinkedAccount,
  ListingClaim as WireListingClaim,
} from '../../generated/types.gen.ts';
import type { AccountKind } from '../../platform/config/known-hosts.ts';
import type { WaitReason } from '../handles/determine-ownership.ts';
import type { ListingClaim } from '../handles/listing-claims.queries.ts';
import type { LinkedAccount } from './linked-account.queries.ts';

const REASONS: Readonly<Record<WaitReason, string>> = {
  not_read: 'its repository could not be read yet',
  gone: 'its host shows no such repository',
  owner_unknown: 'its host does not show who owns it',
  other_repository: 'another repository has its name now',
  created_later: 'the repository was created after it was listed',
  creation_unknown: 'its host does not show when the repository was created',
  creation_differs: 'the repository was created at another time than the listed one',
  license_differs: 'the repository has another license than the listed one',
  fork_differs: 'the repository is not a fork of what the listed one is a fork of',
  handle_passed_on: 'the handle belonged to another account before',
};

/** Describes why a listing waits, to complete the sentence "It waits because". */
export function describeReason(reason: WaitReason): string {
  return REASONS[reason];
}

/** Presents a link under the API's names, without its directory account and the host's own id. */
export function presentLinkedAccount(link: LinkedAccount): WireLinkedAccount {
  const { id, kind, host, handle, state, code, codeExpiresAt, provedAt, provedBy, evidenceUrl } = link;
  return {
    id,
    kind,
    host,
    handle,
    state,
    code,
    codeExpiresAt,
    instructions: code === null ? null : `${WHERE[kind](handle, host)} ${LEAVE_IT}`,
    provedAt,
    provedBy,
    evidenceUrl,
    hostAccountCreatedAt: link.hostAccountCreatedAt,
    checkedAt: link.checkedAt,
    checkFailedAt: link.checkFailedAt,
    countsUntil: link.countsUntil,
    createdAt: link.createdAt,
  };
}

const LEAVE_IT = 'Leave it there: it is checked every 30 days.';
const inProfile = (handle: string, host: string) =>
  `Put the code into the profile text of ${handle} on ${host}.`;

/**
 * Explains where to put the code in an account's own texts: into its profile text; on Bitbucket into the workspace's
 * name, because a workspace shows only that.
 */
const inOwnTexts = (handle: string, host: string) =>
  host === 'bitbucket.org'
    ? `Put the code into the name of the workspace ${handle} on ${host}.`
    : inProfile(handle, host);
const BY_A_PERSON = (handle: string) =>
  `A person may instead put it into a file trust-directory.txt at the root of the public repository "trust-directory" or "${handle}".`;
const BY_AN_ORGANISATION =
  'An organisation, group or workspace may not, since any member can write there. For one of those also counts a DNS TXT record with the code at _trust-directory.DOMAIN, where DOMAIN is a domain of its own that its profile names as its website; a file on the website does not.';

/** Instructions for publishing the code, by kind of account. */
const WHERE: Readonly<Record<AccountKind, (handle: string, host: string) => string>> = {
  repo_host: (handle, host) => `${inOwnTexts(handle, host)} ${BY_A_PERSON(handle)} ${BY_AN_ORGANISATION}`,
  node_packages: (handle) =>
    `As the npm user ${handle}, publish a version of a package of yours with the code in its description or keywords.`,
  python_packages: (handle) =>
    `Publish the code in the summary, description or keywords of a project that the PyPI user ${handle} owns, that belongs to no organisation, and in which nobody else has a role.`,
  professional_network: inProfile,
  social: inProfile,
  messaging: inProfile,
};

/** Presents a claim to its claimant, or to the account that has the listing. */
export function presentClaim(claim: ListingClaim, accountId: string): WireListingClaim {
  const { id, agentId, host, repository, handle, reason, createdAt } = claim;
  const isYours = claim.accountId === accountId;
  return {
    id,
    agentId,
    host,
    repository,
    claimedBy: handle,
    isYours,
    reason: describeReason(reason),
    createdAt,
  };
}
