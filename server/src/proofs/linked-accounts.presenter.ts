import type { AccountKind } from '../config/account-kinds.ts';
import type { LinkedAccount as WireLinkedAccount } from '../generated/types.gen.ts';
import type { LinkedAccount } from './linked-account.ts';

/** A link under the wire's names; whose it is and the host's own id are left out. */
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

/** Bitbucket shows no other text of a workspace. */
const inOwnTexts = (handle: string, host: string) =>
  host === 'bitbucket.org'
    ? `Put the code into the name of the workspace ${handle} on ${host}.`
    : inProfile(handle, host);
const BY_A_PERSON = (handle: string) =>
  `A person may instead put it into a file trust-directory.txt at the root of the public repository "trust-directory" or "${handle}".`;
const BY_AN_ORGANISATION =
  'An organisation, group or workspace may not, since any member can write there. For one of those also counts a DNS TXT record with the code at _trust-directory.DOMAIN, where DOMAIN is a domain of its own that its profile names as its website; a file on the website does not.';

/** Where the owner publishes the code. */
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
