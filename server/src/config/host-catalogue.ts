/** The interfaces that we can read. */
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

/** Where and how one host is read. */
export interface HostPlace {
  /** The name that people know it by, lower case. */
  readonly host: string;
  readonly api: HostApi;
  /** The address that paths of the interface are added to; no slash at its end. */
  readonly url: string;
}

/** The hosts that can be read without any configuration. */
export const KNOWN_HOSTS: readonly HostPlace[] = [
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

/** The one name of a host that people write in several ways; an unknown one in lower case. */
export function hostName(text: string): string {
  const name = text
    .trim()
    .toLowerCase()
    .replace(/^www\./, '');
  return OTHER_NAMES.get(name) ?? name;
}

/** What an operator says of a host: another address, or a host of their own with its kind of interface. */
export interface HostUrl {
  readonly host: string;
  /** Null: the host is a known one. */
  readonly api: HostApi | null;
  readonly url: string;
}

/** The known hosts, with what the operator says over them. */
export function catalogueOf(configured: readonly HostUrl[]): ReadonlyMap<string, HostPlace> {
  const places = new Map(KNOWN_HOSTS.map((place) => [place.host, place]));
  for (const { host, api, url } of configured) {
    const known = api ?? places.get(host)?.api;
    if (known === undefined)
      throw new Error(`${host} is no known host, and its kind of interface is not given`);
    places.set(host, { host, api: known, url });
  }
  return places;
}
