import type { LinkedAccount as WireLinkedAccount } from '../generated/types.gen.ts';
import type { AccountKind } from '../hosts/host-account.ts';
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

const LEAVE_IT = 'Leave it there: it is looked for again every 30 days.';
const inProfile = (handle: string, host: string) =>
  `Put the code into the profile text of ${handle} on ${host}.`;

/** Where the owner publishes the code. */
const WHERE: Readonly<Record<AccountKind, (handle: string, host: string) => string>> = {
  repo_host: (handle, host) =>
    `Put the code into the profile text of ${handle} on ${host}, or into a file trust-directory.txt at the root of its public repository "trust-directory" or "${handle}".`,
  node_packages: (handle) =>
    `As the npm user ${handle}, publish a version of a package of yours with the code in its description or keywords.`,
  python_packages: (handle) =>
    `Publish the code in the summary, description or keywords of a project in which nobody but the PyPI user ${handle} has a role.`,
  professional_network: inProfile,
  social: inProfile,
  messaging: inProfile,
};
