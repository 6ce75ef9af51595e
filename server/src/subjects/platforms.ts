/** A platform whose addresses are known: how profiles stand on its hosts, by the beginning of their path. */
export interface Platform {
  readonly name: string;
  /** Other names that people and sources use for it; its hosts are such names too. */
  readonly alsoCalled?: readonly string[];
  readonly hosts: readonly string[];
  /** What comes before a handle in a path, and what then comes before the handle as it is stored. */
  readonly profiles: Readonly<Record<string, string>>;
}

/** Stands before a platform's own id of an account where a handle would stand; no handle begins so. */
export const ID_PREFIX = 'id/';

/** The servers that talk ActivityPub: an account is `user@server`, and the server is its platform. */
export const FEDIVERSE = 'mastodon';

/**
 * Social and messaging platforms that a text may name without their host. Any other platform is called by its host. Only
 * paths that mean one account for good are here: posts, invitations to private groups and names that a platform gave
 * away twice lead to nobody.
 */
const PLATFORMS: readonly Platform[] = [
  { name: FEDIVERSE, alsoCalled: ['fediverse', 'acct'], hosts: [], profiles: {} },
  { name: 'x', alsoCalled: ['twitter'], hosts: ['x.com', 'twitter.com'], profiles: { '': '' } },
  { name: 'bluesky', alsoCalled: ['bsky'], hosts: ['bsky.app'], profiles: { 'profile/': '' } },
  {
    name: 'linkedin',
    hosts: ['linkedin.com'],
    profiles: { 'in/': '', 'company/': 'company/', 'school/': 'school/', 'showcase/': 'showcase/' },
  },
  // `/c/name` and `/user/name` are left out: a handle of the same spelling may be somebody else's.
  { name: 'youtube', hosts: ['youtube.com'], profiles: { '@': '', 'channel/': ID_PREFIX } },
  { name: 'reddit', hosts: ['reddit.com'], profiles: { 'user/': '', 'u/': '', 'r/': 'r/' } },
  { name: 'instagram', hosts: ['instagram.com'], profiles: { '': '' } },
  { name: 'threads', hosts: ['threads.net', 'threads.com'], profiles: { '@': '' } },
  { name: 'facebook', hosts: ['facebook.com', 'fb.com'], profiles: { '': '' } },
  { name: 'tiktok', hosts: ['tiktok.com'], profiles: { '@': '' } },
  { name: 'twitch', hosts: ['twitch.tv'], profiles: { '': '' } },
  { name: 'telegram', hosts: ['t.me', 'telegram.me', 'telegram.dog'], profiles: { '': '', 's/': '' } },
  {
    name: 'discord',
    hosts: ['discord.com', 'discordapp.com'],
    profiles: { 'invite/': '', 'users/': ID_PREFIX, 'channels/': ID_PREFIX },
  },
  { name: 'discord', hosts: ['discord.gg'], profiles: { '': '' } },
];

/** The same site under another address: a country's, a phone's, an older look. */
const SITE_VARIANT = /^(?:www|m|mobile|old|new|[a-z]{2})\./;

const NAMES = new Map(
  PLATFORMS.flatMap(({ name, alsoCalled = [], hosts }) =>
    [name, ...alsoCalled, ...hosts].map((text) => [text, name] as const),
  ),
);
const HOSTS = new Map(PLATFORMS.flatMap((platform) => platform.hosts.map((host) => [host, platform])));

/** The one name of a platform, however it is called: `x` for `Twitter.com`; a host that is not known stays itself. */
export function platformName(text: string): string {
  const name = text.toLowerCase();
  return NAMES.get(name) ?? platformOnHost(name)?.name ?? name.replace(/^www\./, '');
}

/** True where the text is a name or a host of a platform that is known. */
export function isKnownPlatform(text: string): boolean {
  return NAMES.has(platformName(text));
}

/** The platform that has this host, in lower case. */
export function platformOnHost(host: string): Platform | undefined {
  return HOSTS.get(host) ?? HOSTS.get(host.replace(SITE_VARIANT, ''));
}

/** What may stand before the handles of a platform as they are stored: `company/` on LinkedIn. */
export function handleKinds(name: string): string[] {
  return PLATFORMS.filter((platform) => platform.name === name)
    .flatMap(({ profiles }) => Object.values(profiles))
    .filter((kind) => kind !== '' && kind !== ID_PREFIX);
}
