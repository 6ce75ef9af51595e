import { FEDIVERSE, handleKinds, ID_PREFIX, platformName, platformOnHost } from './platforms.ts';

/** An account where a platform has it: the platform's one name, and the handle as it is stored, its case kept. */
export interface PlatformHandle {
  platform: string;
  handle: string;
}

const PLATFORM = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;
const HANDLE = /^(?!\.{1,2}$)[^\s/:@#?\\%\p{Cc}]{1,200}$/u;
const PLATFORM_ID = /^[^\s/#?\\%\p{Cc}]{1,200}$/u;

/** First segments that are the platform's own pages where a handle stands at the root of its address. */
const OWN_PAGES = new Set(
  `about addemoji addlist addstickers addtheme boost c contact directory download events explore giftcode groups hashtag
  help home i intent invite invoice iv jobs joinchat login marketplace messages notifications p pages people privacy
  profile.php proxy reel reels search settings setlanguage share sharer signup socks stories tos tv videos watch`.split(
    /\s+/,
  ),
);

/**
 * Who is meant by a handle on a platform, each as anybody writes it: `@acme` on `twitter.com`, `alice@server` on
 * `mastodon`, `company/acme` on `linkedin`, `id/…` for the platform's own id. Null where nobody can be called so.
 */
export function readPlatformHandle(platformText: string, handleText: string): PlatformHandle | null {
  const platform = platformName(platformText);
  const handle = handleText.replace(/^@/, '');
  if (platform === FEDIVERSE) return readFediverse(handle);
  if (!PLATFORM.test(platform)) return null;
  if (handle.startsWith(ID_PREFIX))
    return PLATFORM_ID.test(handle.slice(ID_PREFIX.length)) ? { platform, handle } : null;
  // Bluesky's own ids stand where handles do.
  if (/^did:/i.test(handle)) return readPlatformHandle(platform, `${ID_PREFIX}${handle}`);
  const kind = handleKinds(platform).find((each) => handle.toLowerCase().startsWith(each)) ?? '';
  const name = handle.slice(kind.length);
  return HANDLE.test(name) ? { platform, handle: `${kind}${name}` } : null;
}

/** `alice@server.example`: the account of the server, which is the platform. */
export function readFediverse(text: string): PlatformHandle | null {
  const [handle = '', server = '', ...more] = text.replace(/^@/, '').split('@');
  const isServer = server.includes('.') && platformName(server) !== FEDIVERSE;
  return more.length === 0 && isServer ? readPlatformHandle(server, handle) : null;
}

/**
 * The account whose profile an address shows, its path decoded. Null where the host is a known platform's and the page
 * is no profile; undefined where the host is no known platform's.
 */
export function readProfile(host: string, path: readonly string[]): PlatformHandle | null | undefined {
  // Telegram shows `t.me/acme` under `acme.t.me` too.
  const [, owner] = /^([^.]+)\.t\.me$/.exec(host) ?? [];
  if (owner !== undefined && owner !== 'www')
    return path.length === 0 ? readPlatformHandle('telegram', owner) : null;
  const platform = platformOnHost(host);
  if (!platform) return undefined;
  // An encoded slash would pass for the end of a segment.
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
  // `t.me/+…` invites to a private group.
  return segment.startsWith('+') || OWN_PAGES.has(segment);
}
