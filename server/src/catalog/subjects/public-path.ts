import type { SubjectType } from '../../scoring/subject-type.ts';
import { AGENT_ID, UUID } from './normalise.ts';

/** Hosts to try for a bare `owner/repo` or handle, in this order. Operators can reorder or extend them. */
export const BUILT_IN_HOSTS = ['github.com', 'gitlab.com', 'codeberg.org', 'bitbucket.org'] as const;

/** Value of `host` for a creator who exists only as a customer account of this directory. */
export const DIRECTORY_HOST = 'directory';

/** Settings for parsing names and for building public URLs: the address of this site and the order of hosts. */
export interface PublicUrls {
  /** Parsed PUBLIC_URL, the prefix of all page and listing URLs. */
  readonly site: URL;
  /** Repository hosts in lookup order, lower case. Always contains all of BUILT_IN_HOSTS. */
  readonly hosts: readonly string[];
}

/**
 * Creates the settings. The hosts of `hostOrder` come first, then the remaining built-in hosts. All built-in hosts must
 * be in the order, because their listings have no stored alias without a host: a bare name is looked up on each of
 * them.
 */
export function createPublicUrls(
  publicUrl: string,
  hostOrder: readonly string[] = BUILT_IN_HOSTS,
): PublicUrls {
  const hosts = new Set([...hostOrder.map((host) => host.toLowerCase()), ...BUILT_IN_HOSTS]);
  return { site: new URL(publicUrl), hosts: [...hosts] };
}

/**
 * Returns true if a bare `owner/repo` or handle is always looked up on this host, so that no bare alias needs to be
 * stored.
 */
export function isDefaultHost(host: string): boolean {
  return host === DIRECTORY_HOST || (BUILT_IN_HOSTS as readonly string[]).includes(host);
}

/**
 * First path segments that this site reserves. An owner with one of these names has no listing URL `/{owner}/{repo}`.
 */
export const RESERVED_SEGMENTS: ReadonlySet<string> = new Set([
  '.well-known',
  'a',
  's',
  'c',
  'u',
  'm',
  'api',
  'assets',
  'auth',
  'badge',
  'compare',
  'console',
  'docs',
  'health',
  'healthz',
  'livez',
  'method',
  'metrics',
  'openapi.json',
  'openapi.yaml',
  'pricing',
  'readyz',
  'robots.txt',
  'sdk',
  'favicon.ico',
  'sitemap.xml',
  'sign-in',
  'sign-out',
  'styles',
  'suggest',
]);

/** Fields that a public page's path is built from. */
export interface PathParts {
  id: string;
  type: SubjectType;
  /** Null for artifacts, creators and platform accounts. */
  agentId: string | null;
  /** Host of the repository; for creators and platform accounts, their host or platform. */
  host: string;
  repository: string | null;
  /** Set for artifacts only. */
  artifactName: string | null;
  /** Set for creators and platform accounts. */
  handle: string | null;
  /**
   * True if no host earlier in the order has the same repository or handle. Only then does the short path mean this
   * subject.
   */
  holdsBareName: boolean;
}

/** Returns the percent-encoded path of a subject's public page. */
export function publicPath(parts: PathParts, publicUrls: PublicUrls): string {
  const { host, handle } = parts;
  if (parts.type === 'creator') {
    const isShort = parts.holdsBareName && isAskedInOrder(host, publicUrls);
    return `/c/${segment(isShort ? `${handle}` : `${host}:${handle}`)}`;
  }
  if (parts.type === 'social_account') return `/u/${segment(host)}/${segment(`${handle}`)}`;
  if (parts.type === 'messaging_account') return `/m/${segment(host)}/${segment(`${handle}`)}`;
  const [owner = '', name = ''] = (parts.repository ?? '').split('/');
  if (!hasShortPath(parts, owner, name, publicUrls)) return pathById(parts);
  const repository = `${rootOf(parts)}/${segment(owner)}/${segment(name)}`;
  return parts.artifactName === null ? repository : `${repository}/${segment(parts.artifactName)}`;
}

/** Returns the path of an agent's or skill's page by its id, which never passes to another subject. */
export function pathById(parts: Pick<PathParts, 'type' | 'agentId' | 'id'>): string {
  return `${rootOf(parts)}/id/${parts.agentId ?? parts.id}`;
}

function rootOf({ type }: Pick<PathParts, 'type'>): string {
  return type === 'agent' ? '/a' : '/s';
}

/**
 * Returns `owner/repo` for the first host in the order, `host/owner/repo` for any other host; null without a
 * repository. In a request, the result resolves to exactly this repository.
 */
export function publicRepository(
  { host, repository }: Pick<PathParts, 'host' | 'repository'>,
  publicUrls: PublicUrls,
): string | null {
  return repository === null || host.toLowerCase() === publicUrls.hosts[0]
    ? repository
    : `${host}/${repository}`;
}

/**
 * Returns `<site>/<owner>/<repo>` for a page's path; this URL redirects to the page. If the path is one by id, or the
 * owner is a reserved segment, returns the page's own URL.
 */
export function listingUrl(path: string, publicUrls: PublicUrls): string {
  const [, , owner = ''] = path.split('/');
  const short =
    path.startsWith('/id/', 2) || RESERVED_SEGMENTS.has(owner.toLowerCase()) ? path : path.slice(2);
  return `${publicUrls.site.href.replace(/\/$/, '')}${short}`;
}

/**
 * Returns true for hosts on which bare names are looked up in order. A bare name on any other host is unambiguous only
 * if exactly one of the other hosts has the name.
 */
function isAskedInOrder(host: string, publicUrls: PublicUrls): boolean {
  return host === DIRECTORY_HOST || publicUrls.hosts.includes(host.toLowerCase());
}

/**
 * Returns false if the short path would not lead to the page, for example because a name is a dot segment, which
 * browsers remove from paths.
 */
function hasShortPath(parts: PathParts, owner: string, repository: string, publicUrls: PublicUrls): boolean {
  if (!parts.holdsBareName || !isAskedInOrder(parts.host, publicUrls)) return false;
  if (owner === 'id' && (UUID.test(repository) || AGENT_ID.test(repository))) return false;
  return ![owner, repository, parts.artifactName ?? 'x'].some(
    (part) => part === '' || part === '.' || part === '..',
  );
}

/** Encodes one path segment. `@` and `:` are allowed in it. */
function segment(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'))
    .replaceAll('%3A', ':')
    .replaceAll('%40', '@');
}

/** A link to a page of this site. */
export interface PageLink {
  path: string;
  text: string;
}
