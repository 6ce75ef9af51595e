/** A platform with known hosts, and the shapes of its profile paths. */
interface Platform {
  readonly name: string;
  /** Other names of the platform that are in use. Its hosts work as names too. */
  readonly otherNames?: readonly string[];
  readonly hosts: readonly string[];
  /**
   * Maps the path before the handle in a profile URL to the prefix of the stored handle: on Reddit, `u/acme` is stored
   * as `acme` and `r/acme` as `r/acme`.
   */
  readonly profiles: Readonly<Record<string, string>>;
}

/** Prefix of a stored platform account id. No handle starts with it. */
export const ID_PREFIX = 'id/';

/**
 * Platform name that stands for all ActivityPub servers. Their accounts are `user@server`, and the server becomes the
 * platform.
 */
const FEDIVERSE = 'mastodon';

/**
 * Social and messaging platforms that a text may name without a host. Any other platform is named by its host. A
 * profile path is included only if it identifies one account permanently. Paths of posts, invitations to private
 * groups, and names that a platform has reassigned are therefore left out.
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
  // `/c/name` and `/user/name` are left out, because the handle with the same spelling may belong to another channel.
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

/** Matches the prefix of a host for a variant of a site: a country, the mobile site, or an older design. */
const SITE_VARIANT = /^(?:www|m|mobile|old|new|[a-z]{2})\./;

const NAMES = new Map(
  PLATFORMS.flatMap(({ name, otherNames = [], hosts }) =>
    [name, ...otherNames, ...hosts].map((text) => [text, name] as const),
  ),
);
const HOSTS = new Map(PLATFORMS.flatMap((platform) => platform.hosts.map((host) => [host, platform])));

/**
 * Returns the normalised name of a platform: `x` for `Twitter.com`. Unknown hosts are returned in lower case, without
 * `www.`.
 */
export function platformName(text: string): string {
  const name = text.toLowerCase();
  return NAMES.get(name) ?? platformOnHost(name)?.name ?? name.replace(/^www\./, '');
}

/** Returns true if the text is a name or a host of a known platform. */
export function isKnownPlatform(text: string): boolean {
  return NAMES.has(platformName(text));
}

/** Returns the platform of a host; undefined for an unknown host. `host` must be in lower case. */
export function platformOnHost(host: string): Platform | undefined {
  return HOSTS.get(host) ?? HOSTS.get(host.replace(SITE_VARIANT, ''));
}

/** Returns the prefixes that stored handles of a platform may have: `company/` on LinkedIn. */
function handlePrefixes(name: string): string[] {
  return PLATFORMS.filter((platform) => platform.name === name)
    .flatMap(({ profiles }) => Object.values(profiles))
    .filter((kind) => kind !== '' && kind !== ID_PREFIX);
}

/** A platform account: normalised platform name, and the handle with its original case. */
export interface PlatformHandle {
  platform: string;
  handle: string;
}

const PLATFORM = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;
const HANDLE = /^(?!\.{1,2}$)[^\s/:@#?\\%\p{Cc}]{1,200}$/u;
const PLATFORM_ID = /^[^\s/#?\\%\p{Cc}]{1,200}$/u;

/**
 * First path segments that name pages of the platform itself, such as `share` in `t.me/share`. They are never read as
 * handles, although profile URLs have the same form: `t.me/acme`.
 */
const OWN_PAGES = new Set(
  `about addemoji addlist addstickers addtheme boost c contact directory download events explore giftcode groups hashtag
  help home i intent invite invoice iv jobs joinchat login marketplace messages notifications p pages people privacy
  profile.php proxy reel reels search settings setlanguage share sharer signup socks stories tos tv videos watch`.split(
    /\s+/,
  ),
);

/**
 * Parses a platform and a handle in any common spelling: `@acme` on `twitter.com`, `alice@server` on `mastodon`,
 * `company/acme` on `linkedin`, `id/…` for the platform's account id. Returns null if the handle is invalid on the
 * platform.
 */
export function readPlatformHandle(platformText: string, handleText: string): PlatformHandle | null {
  const platform = platformName(platformText);
  const handle = handleText.replace(/^@/, '');
  if (platform === FEDIVERSE) return readFediverse(handle);
  if (!PLATFORM.test(platform)) return null;
  if (handle.startsWith(ID_PREFIX))
    return PLATFORM_ID.test(handle.slice(ID_PREFIX.length)) ? { platform, handle } : null;
  // Bluesky accepts its account ids (`did:…`) in place of handles.
  if (/^did:/i.test(handle)) return readPlatformHandle(platform, `${ID_PREFIX}${handle}`);
  const kind = handlePrefixes(platform).find((each) => handle.toLowerCase().startsWith(each)) ?? '';
  const name = handle.slice(kind.length);
  return HANDLE.test(name) ? { platform, handle: `${kind}${name}` } : null;
}

/** Parses `alice@server.example`; the server becomes the platform. Returns null for other texts. */
export function readFediverse(text: string): PlatformHandle | null {
  const [handle = '', server = '', ...more] = text.replace(/^@/, '').split('@');
  const isServer = server.includes('.') && platformName(server) !== FEDIVERSE;
  return more.length === 0 && isServer ? readPlatformHandle(server, handle) : null;
}

/**
 * Returns the platform account whose profile is at a URL, given the URL's host and decoded path. Returns null if the
 * host is a known platform but the page is not a profile. Returns undefined if the host is not a known platform.
 */
export function readProfile(host: string, path: readonly string[]): PlatformHandle | null | undefined {
  // Telegram also serves `t.me/acme` as `acme.t.me`.
  const [, owner] = /^([^.]+)\.t\.me$/.exec(host) ?? [];
  if (owner !== undefined && owner !== 'www')
    return path.length === 0 ? readPlatformHandle('telegram', owner) : null;
  const platform = platformOnHost(host);
  if (!platform) return undefined;
  // Rejects encoded slashes: once the segments are joined, they would look like boundaries of segments.
  if (path.some((segment) => segment.includes('/'))) return null;
  const text = path.join('/');
  const prefix = Object.keys(platform.profiles)
    .sort((a, b) => b.length - a.length)
    .find((each) => text.startsWith(each));
  if (prefix === undefined) return null;
  const handle = text.slice(prefix.length);
  if (handle.includes('/') || (prefix === '' && isOwnPage(handle))) return null;
  return readPlatformHandle(platform.name, `${platform.profiles[prefix]}${handle}`);
}

function isOwnPage(segment: string): boolean {
  // `t.me/+…` is an invitation to a private group.
  return segment.startsWith('+') || OWN_PAGES.has(segment);
}
