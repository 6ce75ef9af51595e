import type { AccountKind } from '../config/account-kinds.ts';
import type { HostApi } from '../config/host-catalogue.ts';
import { type AccountReader, type AskedHost, carries, type Profile } from './accounts/account-reader.ts';
import { bitbucketAccount } from './accounts/bitbucket.ts';
import { blueskyAccount } from './accounts/bluesky.ts';
import { forgejoAccount } from './accounts/forgejo.ts';
import { githubAccount } from './accounts/github.ts';
import { gitlabAccount } from './accounts/gitlab.ts';
import { mastodonAccount } from './accounts/mastodon.ts';
import { npmAccount } from './accounts/npm.ts';
import { pypiAccount } from './accounts/pypi.ts';
import { telegramAccount } from './accounts/telegram.ts';
import { askHost } from './ask-host.ts';
import { isCodeInDns } from './code-in-dns.ts';
import type { CodePlace, HostAccount } from './host-account.ts';
import { HostFailure } from './host-failure.ts';
import type { Hosts } from './hosts.ts';
import { requireAskedHandle, requireSameAccount } from './same-account.ts';

/** Which interfaces tell of which kind of account. Professional networks show nothing without signing in. */
const READERS: Readonly<Record<AccountKind, Partial<Record<HostApi, AccountReader>>>> = {
  repo_host: {
    github: githubAccount,
    gitlab: gitlabAccount,
    forgejo: forgejoAccount,
    bitbucket: bitbucketAccount,
  },
  node_packages: { npm: npmAccount },
  python_packages: { pypi: pypiAccount },
  professional_network: {},
  social: { bluesky: blueskyAccount, mastodon: mastodonAccount },
  messaging: { telegram: telegramAccount },
};

const HANDLE = /^(?!\.+$)[A-Za-z0-9._~-]{1,253}$/;

/** True where accounts of that kind can be read on the host; else only an operator can confirm one. */
export function readsAccounts(kind: AccountKind, host: string, { hosts }: { hosts: Hosts }): boolean {
  const place = hosts.placeOf(host);
  return place !== null && READERS[kind][place.api] !== undefined;
}

/**
 * Reads an account in public and looks for the code in the places that only its owner, or an organisation's owners, can
 * write to: profile text; a person's file `trust-directory.txt` at the root of the repository `trust-directory` or of the
 * one named like the account; a package's texts; a DNS record of a domain that an organisation's profile names. Whatever
 * answers has to be the account that was asked, before and after. Rejects with a HostFailure; `unreadable` means that only
 * an operator can confirm such an account. Without a code (null) no place carries it.
 */
export async function readHostAccount(
  kind: AccountKind,
  host: string,
  handle: string,
  code: string | null,
  { hosts }: { hosts: Hosts },
): Promise<HostAccount> {
  const place = hosts.placeOf(host);
  const reader = place && READERS[kind][place.api];
  if (!place || !reader) {
    throw new HostFailure(
      'unreadable',
      `Accounts on ${host} cannot be read without signing in there: only an operator can confirm one.`,
    );
  }
  const asked = handle.trim().replace(/^@/, '');
  if (!HANDLE.test(asked)) throw new HostFailure('not_found', `No account of ${place.host} has that name.`);
  const from: AskedHost = {
    host: place.host,
    ask: (path, question) => askHost(hosts, place, path, question),
  };
  const read = async () => {
    const profile = await reader(from, asked);
    requireAskedHandle(asked, profile, place.host);
    return profile;
  };
  const profile = await read();
  const codePlace = code === null ? null : await findCode(hosts, profile, code);
  // While another place was asked, the account may have given its handle to somebody else.
  if (codePlace !== null && codePlace !== 'profile') requireUnchanged(profile, await read(), place.host);
  const { hostAccountId, createdAt, isOrganisation, evidenceUrl, facts } = profile;
  return { hostAccountId, createdAt, handle: profile.handle, isOrganisation, codePlace, evidenceUrl, facts };
}

async function findCode(hosts: Hosts, profile: Profile, code: string): Promise<CodePlace | null> {
  const { texts, elsewhere, website } = profile;
  if (carries(code, texts)) return 'profile';
  if (elsewhere !== null) return (await elsewhere.carries(code)) ? elsewhere.place : null;
  return website !== null && (await isCodeInDns(hosts, website, code)) ? 'dns_record' : null;
}

function requireUnchanged(before: Profile, now: Profile, host: string): void {
  requireSameAccount(before, now, host);
  if (before.isOrganisation === now.isOrganisation && before.website === now.website) return;
  throw new HostFailure('moved', `${host} showed another profile a moment later.`);
}
