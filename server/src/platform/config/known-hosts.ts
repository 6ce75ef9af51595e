/** APIs of hosts that can be read. */
export const HOST_APIS = [
  'github',
  'gitlab',
  'forgejo',
  'bitbucket',
  'npm',
  'pypi',
  'bluesky',
  'mastodon',
  'telegram',
] as const;

export type HostApi = (typeof HOST_APIS)[number];

/** API endpoint of a host. */
export interface HostEndpoint {
  /** Common name in lower case. */
  readonly host: string;
  readonly api: HostApi;
  /** Base URL of the API, without a trailing slash. */
  readonly url: string;
}

/** Hosts that work without configuration. */
export const KNOWN_HOSTS: readonly HostEndpoint[] = [
  { host: 'github.com', api: 'github', url: 'https://api.github.com' },
  { host: 'gitlab.com', api: 'gitlab', url: 'https://gitlab.com/api/v4' },
  { host: 'codeberg.org', api: 'forgejo', url: 'https://codeberg.org/api/v1' },
  { host: 'bitbucket.org', api: 'bitbucket', url: 'https://api.bitbucket.org/2.0' },
  { host: 'npmjs.com', api: 'npm', url: 'https://registry.npmjs.org' },
  { host: 'pypi.org', api: 'pypi', url: 'https://pypi.org' },
  { host: 'bsky.app', api: 'bluesky', url: 'https://public.api.bsky.app' },
  { host: 'mastodon.social', api: 'mastodon', url: 'https://mastodon.social' },
  { host: 'mastodon.online', api: 'mastodon', url: 'https://mastodon.online' },
  { host: 'fosstodon.org', api: 'mastodon', url: 'https://fosstodon.org' },
  { host: 'hachyderm.io', api: 'mastodon', url: 'https://hachyderm.io' },
  { host: 't.me', api: 'telegram', url: 'https://t.me' },
];

const OTHER_NAMES = new Map([
  ['npm', 'npmjs.com'],
  ['registry.npmjs.org', 'npmjs.com'],
  ['pypi', 'pypi.org'],
  ['bluesky', 'bsky.app'],
  ['telegram', 't.me'],
]);

/** Returns the canonical name of a host with several spellings; any other name in lower case. */
export function hostName(text: string): string {
  const name = text
    .trim()
    .toLowerCase()
    .replace(/^www\./, '');
  return OTHER_NAMES.get(name) ?? name;
}

/** Configured host: another URL for a known host, or an own host with its kind of API. */
export interface HostUrl {
  readonly host: string;
  /** Null for a known host. */
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

/** Kinds of platform that a person can link an account of. */
export const ACCOUNT_KINDS = [
  'repo_host',
  'node_packages',
  'python_packages',
  'professional_network',
  'social',
  'messaging',
] as const;

export type AccountKind = (typeof ACCOUNT_KINDS)[number];
