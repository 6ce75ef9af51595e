import { isIP } from 'node:net';
import {
  ACCOUNT_KINDS,
  type AccountKind,
  createHostCatalogue,
  type HostApi,
  type HostUrl,
} from '../../platform/config/known-hosts.ts';
import type { Hosts } from '../create-hosts.ts';
import {
  type CodePlace,
  type HostAccount,
  HostFailure,
  requireRequestedHandle,
  requireSameAccount,
} from '../host-account.ts';
import {
  type AccountReader,
  containsCode,
  type HostApiClient,
  type Profile,
} from '../readers/account-reader.ts';
import { bitbucketAccount } from '../readers/bitbucket.ts';
import { forgejoAccount } from '../readers/forgejo.ts';
import { githubAccount } from '../readers/github.ts';
import { gitlabAccount } from '../readers/gitlab.ts';
import { npmAccount } from '../readers/npm.ts';
import { pypiAccount } from '../readers/pypi.ts';
import { blueskyAccount, mastodonAccount, telegramAccount } from '../readers/social-networks.ts';
import { requestHost } from '../request-host.ts';
import { createAnswerParser, ID_SCHEMA, optionalSchema } from '../untrusted-answers.ts';

/** Label of the TXT record; no other service uses it. */
const RECORD_NAME = '_trust-directory';

/**
 * Searches for the code of a proof in a DNS TXT record of the domain that an organisation's profile names as its
 * website. Returns the domain; null without the code. A file on the website would prove nothing, because anyone who can
 * deploy the site can create it.
 */
async function domainWithCode(hosts: Hosts, website: string, code: string): Promise<string | null> {
  const domain = await ownDomain(website);
  if (domain === null) return null;
  const records = await hosts.textRecords(`${RECORD_NAME}.${domain}`);
  return records.some((record) => record.trim() === code) ? domain : null;
}

/**
 * Returns the host name of a website address, without a leading `www.`. Returns null if the address has a path, because
 * a page on a domain does not prove control of the domain. Also returns null for an IP address, for a public suffix,
 * and for names under the private section of the Public Suffix List, such as `github.io`, which anyone can get.
 */
export async function ownDomain(website: string): Promise<string | null> {
  const name = namedHost(website);
  if (name === null) return null;
  // Loaded only when needed: the list takes 200 kB, and most processes never need it.
  const { parse } = await import('tldts');
  const { domain, isPrivate } = parse(name, { allowPrivateDomains: true });
  if (domain === null || isPrivate === true) return null;
  return name === domain ? name : name.replace(/^www\./, '');
}

/** Returns the host name of an address that stands for a whole site; otherwise null. */
function namedHost(website: string): string | null {
  const text = website.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null;
  if (url.username !== '' || url.password !== '' || url.port !== '') return null;
  const isWhole = url.pathname === '/' && url.search === '' && url.hash === '';
  const name = url.hostname.replace(/\.$/, '');
  const isName = name.includes('.') && !name.startsWith('[') && isIP(name) === 0;
  return isWhole && isName ? name : null;
}

/**
 * Readers by kind of account and API. Professional networks have no reader, because they show nothing without signing
 * in.
 */
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

/**
 * Returns true if accounts of this kind can be read on the host. Otherwise only an operator can confirm such an
 * account.
 */
export function readsAccounts(kind: AccountKind, host: string, { hosts }: { hosts: Hosts }): boolean {
  const endpoint = hosts.endpointOf(host);
  return endpoint !== null && READERS[kind][endpoint.api] !== undefined;
}

/** Host whose accounts this server can check, and the kind of these accounts. */
interface CheckableHost {
  host: string;
  kind: AccountKind;
}

/**
 * Lists the hosts whose accounts this server can check, ordered by kind. `hostApiUrls` are the API URLs that the
 * operator configured.
 */
export function checkableHosts(hosts: Hosts, hostApiUrls: readonly HostUrl[]): CheckableHost[] {
  const names = [...createHostCatalogue(hostApiUrls).keys()];
  return ACCOUNT_KINDS.flatMap((kind) =>
    names.filter((host) => readsAccounts(kind, host, { hosts })).map((host) => ({ host, kind })),
  );
}

/**
 * Reads an account's public record. Unless `code` is null, also searches for this code in places where only the owner
 * of the account can write:
 * - the profile;
 * - for a person, the file `trust-directory.txt` at the root of the repository `trust-directory` or of the repository
 *   with the account's name;
 * - for a package registry, the texts of packages;
 * - for an organisation, a DNS record of the domain that its profile names.
 * Checks that the host's answer is about the requested account, and again if the code was found outside of the profile.
 * Rejects with a HostFailure if the account cannot be read; a failure of kind `unreadable` means that only an operator
 * can confirm such an account.
 */
export async function readHostAccount(
  kind: AccountKind,
  host: string,
  handle: string,
  code: string | null,
  { hosts }: { hosts: Hosts },
): Promise<HostAccount> {
  const endpoint = hosts.endpointOf(host);
  const reader = endpoint && READERS[kind][endpoint.api];
  if (!endpoint || !reader) {
    throw new HostFailure(
      'unreadable',
      `Accounts on ${host} cannot be read without signing in there. Ask the operator of this directory to confirm the account.`,
    );
  }
  const asked = handle.trim().replace(/^@/, '');
  if (!HANDLE.test(asked))
    throw new HostFailure('not_found', `No account of ${endpoint.host} has that name.`);
  const from: HostApiClient = {
    host: endpoint.host,
    request: (path, question) => requestHost(hosts, endpoint, path, question),
  };
  const read = async () => {
    const profile = await reader(from, asked);
    requireRequestedHandle(asked, profile, endpoint.host);
    return profile;
  };
  const profile = await read();
  const { codePlace, domain } = code === null ? NO_CODE : await findCode(hosts, profile, code);
  // The account may have passed its handle to another account while the code was being searched.
  if (codePlace !== null && codePlace !== 'profile') requireUnchanged(profile, await read(), endpoint.host);
  const { hostAccountId, createdAt, isOrganisation, evidenceUrl, facts } = profile;
  const { handle: current } = profile;
  return {
    ...{ hostAccountId, createdAt, handle: current, isOrganisation, codePlace, evidenceUrl, facts },
    ...(domain === null ? {} : { domain }),
  };
}

interface FoundCode {
  codePlace: CodePlace | null;
  domain: string | null;
}

const NO_CODE: FoundCode = { codePlace: null, domain: null };

async function findCode(hosts: Hosts, profile: Profile, code: string): Promise<FoundCode> {
  const { texts, secondPlace: elsewhere, website } = profile;
  if (containsCode(code, texts)) return { ...NO_CODE, codePlace: 'profile' };
  if (elsewhere !== null) {
    return (await elsewhere.carries(code)) ? { ...NO_CODE, codePlace: elsewhere.place } : NO_CODE;
  }
  const domain = website === null ? null : await domainWithCode(hosts, website, code);
  return domain === null ? NO_CODE : { codePlace: 'dns_record', domain };
}

function requireUnchanged(before: Profile, now: Profile, host: string): void {
  requireSameAccount(before, now, host);
  if (before.isOrganisation === now.isOrganisation && before.website === now.website) return;
  throw new HostFailure('moved', `${host} showed a different profile on a second read.`);
}

const NAMED = {
  type: 'object',
  properties: {
    id: { anyOf: [ID_SCHEMA, { type: 'null' }] },
    uuid: optionalSchema('string'),
    login: optionalSchema('string'),
    username: optionalSchema('string'),
    full_path: optionalSchema('string'),
    slug: optionalSchema('string'),
  },
} as const;
const readNamed = createAnswerParser(NAMED);
type Named = ReturnType<typeof readNamed>;
const readFound = createAnswerParser({
  type: 'object',
  required: ['data'],
  properties: { data: { type: 'array', items: NAMED } },
});

/**
 * Finds an account by the id that the account's reader returned. The format of the id is checked first, so that an id
 * cannot lead to another path of the API.
 */
interface FindById {
  /** Format of this host's ids. */
  readonly form: RegExp;
  find(ask: (path: string) => Promise<string>, id: string, host: string): Promise<Named[]>;
}

const NUMBER = /^\d{1,20}$/;

const FINDERS: Partial<Record<HostApi, FindById>> = {
  github: {
    form: NUMBER,
    find: async (ask, id, host) => [readNamed(await ask(`/user/${id}`), host)],
  },
  gitlab: {
    form: /^(?:group-)?\d{1,20}$/,
    async find(ask, id, host) {
      const group = id.startsWith('group-') ? id.slice('group-'.length) : null;
      const path = group === null ? `/users/${id}` : `/groups/${group}?with_projects=false`;
      const { id: number, ...named } = readNamed(await ask(path), host);
      return [{ ...named, id: group === null ? (number ?? null) : `group-${number}` }];
    },
  },
  forgejo: {
    form: NUMBER,
    find: async (ask, id, host) => readFound(await ask(`/users/search?uid=${id}`), host).data,
  },
  bitbucket: {
    form: /^\{[0-9A-Fa-f-]{1,40}\}$/,
    async find(ask, id, host) {
      const { uuid, ...named } = readNamed(await ask(`/workspaces/${encodeURIComponent(id)}`), host);
      return [{ ...named, id: uuid ?? null }];
    },
  },
};

/**
 * Returns the current handle of an account on a repository host, by the host's own id. Returns null if the host cannot
 * be queried by id, or no longer has the id. An answer about another id is ignored. Rejects with a HostFailure if the
 * host cannot be read.
 */
export async function currentHandle(
  host: string,
  hostAccountId: string,
  { hosts }: { hosts: Hosts },
): Promise<string | null> {
  const endpoint = hosts.endpointOf(host);
  const finder = endpoint && FINDERS[endpoint.api];
  if (!endpoint || !finder?.form.test(hostAccountId)) return null;
  const ask = async (path: string) => (await requestHost(hosts, endpoint, path)).body;
  try {
    const found = await finder.find(ask, hostAccountId, endpoint.host);
    const account = found.find(({ id }) => String(id) === hostAccountId);
    return account?.login ?? account?.username ?? account?.full_path ?? account?.slug ?? null;
  } catch (error) {
    if (error instanceof HostFailure && (error.kind === 'not_found' || error.kind === 'moved')) return null;
    throw error;
  }
}
