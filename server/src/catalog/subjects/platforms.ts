/** A platform with known hosts, and the shapes of its profile paths. */
export interface Platform {
  readonly name: string;
  /** Other names in use. Its hosts work as names too. */
  readonly otherNames?: readonly string[];
  readonly hosts: readonly string[];
  /** Maps the path prefix before a handle to the prefix of the stored handle. */
  readonly profiles: Readonly<Record<string, string>>;
}

/** Prefix of a stored platform account id. No handle starts with it. */
export const ID_PREFIX = 'id/';

/** Platform name for all ActivityPub servers. Accounts are `user@server`, and the server becomes their platform. */
export const FEDIVERSE = 'mastodon';

/**
 * Social and messaging platforms that a text may name without a host. Any other platform is named by its host. Only
 * paths that identify one account permanently are included: not posts, invitations to private groups, or names that a
 * platform has reassigned.
 */
const PLATFORMS: readonly Platform[] = [
  { name: FEDIVERSE, otherNames: ['fediverse', 'acct'], hosts: [], profiles: {} },
  { name: 'x', otherNames: ['twitter'], hosts: ['x.com', 'twitter.com'], profiles: { '': '' } },
  { name: 'bluesky', otherNames: ['bsky'], hosts: ['bsky.app'], profiles: { 'profile/': '' } },
  {
    name: 'linkedin',
    hosts: ['linkedin.com'],
    profiles: { 'in/': '', 'company/': 'company/', 'school/': 'school/', 'showcase/': 'showcase/' },
  },
  // `/c/name` and `/user/name` are left out: the handle of the same spelling may belong to another channel.
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

/** Prefixes of the same site's other addresses: a country, mobile, an older design. */
const SITE_VARIANT = /^(?:www|m|mobile|old|new|[a-z]{2})\./;

const NAMES = new Map(
  PLATFORMS.flatMap(({ name, otherNames = [], hosts }) =>
    [name, ...otherNames, ...hosts].map((text) => [text, name] as const),
  ),
);
const HOSTS = new Map(PLATFORMS.flatMap((platform) => platform.hosts.map((host) => [host, platform])));

/** Returns the normalised name of a platform: `x` for `Twitter.com`. Unknown hosts are returned unchanged. */
export function platformName(text: string): string {
  const name = text.toLowerCase();
  return NAMES.get(name) ?? platformOnHost(name)?.name ?? name.replace(/^www\./, '');
}

/** Returns true if the text is a name or a host of a known platform. */
export function isKnownPlatform(text: string): boolean {
  return NAMES.has(platformName(text));
}

/** Returns the platform of this host, in lower case. */
export function platformOnHost(host: string): Platform | undefined {
  return HOSTS.get(host) ?? HOSTS.get(host.replace(SITE_VARIANT, ''));
}

/** Returns the prefixes that stored handles of a platform may have: `company/` on LinkedIn. */
export function handlePrefixes(name: string): string[] {
  return PLATFORMS.filter((platform) => platform.name === name)
    .flatMap(({ profiles }) => Object.values(profiles))
    .filter((kind) => kind !== '' && kind !== ID_PREFIX);
}
