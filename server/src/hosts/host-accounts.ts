import type { AccountReader, AskedHost } from './accounts/account-reader.ts';
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
import type { AccountKind, HostAccount } from './host-account.ts';
import type { HostApi } from './host-catalogue.ts';
import { HostFailure } from './host-failure.ts';
import type { Hosts } from './hosts.ts';

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
 * Reads an account in public and looks for the code in the places that only its owner can write to: profile text, a file
 * `trust-directory.txt` at the root of its repository `trust-directory` or of the one named like the account, or a
 * package's texts. Rejects with a HostFailure; `unreadable` means that only an operator can confirm such an account.
 * Without a code (null) `carriesCode` is false.
 */
export async function readHostAccount(
  kind: AccountKind,
  host: string,
  handle: string,
  code: string | null,
  { hosts }: { hosts: Hosts },
): Promise<HostAccount> {
  const place = hosts.placeOf(host);
  const read = place && READERS[kind][place.api];
  if (!place || !read) {
    throw new HostFailure(
      'unreadable',
      `Accounts on ${host} cannot be read without signing in there: only an operator can confirm one.`,
    );
  }
  const name = handle.trim().replace(/^@/, '');
  if (!HANDLE.test(name)) throw new HostFailure('not_found', `No account of ${place.host} is called that.`);
  const from: AskedHost = {
    host: place.host,
    ask: (path, question) => askHost(hosts, place, path, question),
  };
  return read(from, name, code);
}
