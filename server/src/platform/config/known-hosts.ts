import { httpUrl, token, type VariableParser } from './parsers.ts';

/** Kinds of host APIs that this server can read. */
const HOST_APIS = [
  'github',
  'gitlab',
  'forgejo',
  'bitbucket',
  'npm',
  'npm_downloads',
  'pypi',
  'bluesky',
  'mastodon',
  'telegram',
  'mcp_registry',
  'scorecard',
  'osv',
] as const;

export type HostApi = (typeof HOST_APIS)[number];

/** API endpoint of a host. */
export interface HostEndpoint {
  /** Canonical name of the host, in lower case. */
  readonly host: string;
  readonly api: HostApi;
  /** Base URL of the API, without a trailing slash. */
  readonly url: string;
}

/** Hosts that work without configuration. */
const KNOWN_HOSTS: readonly HostEndpoint[] = [
  { host: 'github.com', api: 'github', url: 'https://api.github.com' },
  { host: 'gitlab.com', api: 'gitlab', url: 'https://gitlab.com/api/v4' },
  { host: 'codeberg.org', api: 'forgejo', url: 'https://codeberg.org/api/v1' },
  { host: 'bitbucket.org', api: 'bitbucket', url: 'https://api.bitbucket.org/2.0' },
  { host: 'npmjs.com', api: 'npm', url: 'https://registry.npmjs.org' },
  { host: 'api.npmjs.org', api: 'npm_downloads', url: 'https://api.npmjs.org' },
  { host: 'pypi.org', api: 'pypi', url: 'https://pypi.org' },
  { host: 'bsky.app', api: 'bluesky', url: 'https://public.api.bsky.app' },
  { host: 'mastodon.social', api: 'mastodon', url: 'https://mastodon.social' },
  { host: 'mastodon.online', api: 'mastodon', url: 'https://mastodon.online' },
  { host: 'fosstodon.org', api: 'mastodon', url: 'https://fosstodon.org' },
  { host: 'hachyderm.io', api: 'mastodon', url: 'https://hachyderm.io' },
  { host: 't.me', api: 'telegram', url: 'https://t.me' },
  {
    host: 'registry.modelcontextprotocol.io',
    api: 'mcp_registry',
    url: 'https://registry.modelcontextprotocol.io',
  },
  { host: 'api.securityscorecards.dev', api: 'scorecard', url: 'https://api.securityscorecards.dev' },
  {
    host: 'osv-vulnerabilities.storage.googleapis.com',
    api: 'osv',
    url: 'https://osv-vulnerabilities.storage.googleapis.com',
  },
];

const OTHER_NAMES = new Map([
  ['npm', 'npmjs.com'],
  ['registry.npmjs.org', 'npmjs.com'],
  ['pypi', 'pypi.org'],
  ['bluesky', 'bsky.app'],
  ['telegram', 't.me'],
]);

/** Returns the canonical name of a host: in lower case and without `www.`; for example `npmjs.com` for `npm`. */
export function hostName(text: string): string {
  const name = text
    .trim()
    .toLowerCase()
    .replace(/^www\./, '');
  return OTHER_NAMES.get(name) ?? name;
}

/** Configured host: either another URL for a known host, or a host that is not built in, with its kind of API. */
export interface HostUrl {
  readonly host: string;
  /** Kind of API; null for a known host, whose kind is built in. */
  readonly api: HostApi | null;
  readonly url: string;
}

/** Combines the known hosts with the configured ones, which take precedence. */
export function createHostCatalogue(configured: readonly HostUrl[]): ReadonlyMap<string, HostEndpoint> {
  const places = new Map(KNOWN_HOSTS.map((place) => [place.host, place]));
  for (const { host, api, url } of configured) {
    const known = api ?? places.get(host)?.api;
    if (known === undefined) throw new Error(`${host} is not a known host, and its kind of API is missing`);
    places.set(host, { host, api: known, url });
  }
  return places;
}

/** Kinds of platforms whose accounts a person can link to an account of this directory. */
export const ACCOUNT_KINDS = [
  'repo_host',
  'node_packages',
  'python_packages',
  'professional_network',
  'social',
  'messaging',
] as const;

export type AccountKind = (typeof ACCOUNT_KINDS)[number];

const HOST = /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){1,8}$/;
const API_URL = new RegExp(`^(?:(${HOST_APIS.join('|')})\\+)?(https?:.*)$`);

/** Parses API URLs of hosts: `host=URL` for known hosts, `host=kind+URL` for others; each host once. */
export const hostApiUrls: VariableParser<readonly HostUrl[]> = {
  allowed:
    `a comma-separated list of host=URL for ${KNOWN_HOSTS.map(({ host }) => host).join(', ')}, ` +
    `or of host=kind+URL for others, where kind is one of ${HOST_APIS.join(', ')}`,
  parse: (text) => parseList(text, parseUrl),
};

/** Parses API tokens of hosts: `host=token`; each host once. */
export const hostApiTokens: VariableParser<readonly { host: string; token: string }[]> = {
  allowed: 'a list of host=token, separated by commas',
  parse: (text) =>
    parseList(text, (host, value) => {
      const parsed = token.parse(value);
      return parsed === undefined ? undefined : { host, token: parsed };
    }),
};

/** Parses domains, each as `domain` or `domain=URL`; each domain once. */
export const wellKnownDomains: VariableParser<readonly { domain: string; url: string | null }[]> = {
  allowed: 'a list of domains such as example.org, or of domain=URL, separated by commas',
  parse: (text) => {
    const parts = text === '' ? [] : text.split(',').map((part) => part.trim());
    const items = parts.flatMap((part) => {
      const [name = '', ...address] = part.split('=');
      const url = address.length === 0 ? null : httpUrl.parse(address.join('='))?.replace(/\/+$/, '');
      return HOST.test(name) && url !== undefined ? [{ domain: name, url }] : [];
    });
    const distinct = new Set(items.map(({ domain }) => domain)).size === parts.length;
    return distinct ? Object.freeze(items) : undefined;
  },
};

function parseUrl(host: string, value: string): HostUrl | undefined {
  const [, api, address = ''] = API_URL.exec(value) ?? [];
  const url = httpUrl.parse(address);
  const isKnown = KNOWN_HOSTS.some((place) => place.host === host);
  if (url === undefined || url.includes('?') || (api === undefined && !isKnown)) return undefined;
  return { host, api: (api as HostApi | undefined) ?? null, url: url.replace(/\/+$/, '') };
}

function parseList<Item extends { host: string }>(
  text: string,
  parse: (host: string, value: string) => Item | undefined,
): readonly Item[] | undefined {
  const parts = text === '' ? [] : text.split(',').map((part) => part.trim());
  const items = parts.map((part) => {
    const host = hostName(part.slice(0, Math.max(0, part.indexOf('='))));
    return HOST.test(host) ? parse(host, part.slice(part.indexOf('=') + 1)) : undefined;
  });
  const known = items.filter((item) => item !== undefined);
  const distinct = new Set(known.map(({ host }) => host)).size === items.length;
  return distinct ? Object.freeze(known) : undefined;
}
