import { DIRECTORY_HOST, type Naming } from './naming.ts';
import { AGENT_ID, UUID } from './normalise.ts';
import type { SubjectType } from './subject-type.ts';

/** First path segments that are ours: `/{owner}/{repo}` of such an owner can't be its listing URL. */
export const FIXED_SEGMENTS: ReadonlySet<string> = new Set([
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

/** What a public page's path is made of. */
export interface PathParts {
  id: string;
  type: SubjectType;
  /** Null for artifacts, creators and accounts. */
  agentId: string | null;
  /** Repository host; for creators and accounts the host or platform they belong to. */
  host: string;
  repository: string | null;
  /** Set for an artifact only. */
  artifactName: string | null;
  /** Set for creators and accounts. */
  handle: string | null;
  /** True where no earlier host has the same repository or handle: only then is the short path this subject's own. */
  holdsBareName: boolean;
}

/** The path of a subject's public page, percent-encoded; the same wherever it is shown. */
export function publicPath(parts: PathParts, naming: Naming): string {
  const { host, handle } = parts;
  if (parts.type === 'creator') {
    const isShort = parts.holdsBareName && isAskedInOrder(host, naming);
    return `/c/${segment(isShort ? `${handle}` : `${host}:${handle}`)}`;
  }
  if (parts.type === 'social_account') return `/u/${segment(host)}/${segment(`${handle}`)}`;
  if (parts.type === 'messaging_account') return `/m/${segment(host)}/${segment(`${handle}`)}`;
  const [owner = '', name = ''] = (parts.repository ?? '').split('/');
  if (!hasShortPath(parts, owner, name, naming)) return pathById(parts);
  const repository = `${rootOf(parts)}/${segment(owner)}/${segment(name)}`;
  return parts.artifactName === null ? repository : `${repository}/${segment(parts.artifactName)}`;
}

/** The path of the page of an agent or skill by its id, which is never another's. */
export function pathById(parts: Pick<PathParts, 'type' | 'agentId' | 'id'>): string {
  return `${rootOf(parts)}/id/${parts.agentId ?? parts.id}`;
}

function rootOf({ type }: Pick<PathParts, 'type'>): string {
  return type === 'agent' ? '/a' : '/s';
}

/**
 * How a repository is told: `owner/repo` on the first host, `host/owner/repo` on any other. Sent back as a subject it leads
 * to this repository and to no other host's.
 */
export function publicRepository(
  { host, repository }: Pick<PathParts, 'host' | 'repository'>,
  naming: Naming,
): string | null {
  return repository === null || host.toLowerCase() === naming.hosts[0] ? repository : `${host}/${repository}`;
}

/** `<site>/<owner>/<repo>` of a page's path, which leads to the page; an owner named like one of our first segments gets the page itself. */
export function listingUrl(path: string, naming: Naming): string {
  const [, , owner = ''] = path.split('/');
  const short = path.startsWith('/id/', 2) || FIXED_SEGMENTS.has(owner.toLowerCase()) ? path : path.slice(2);
  return `${naming.site.href.replace(/\/$/, '')}${short}`;
}

/** A bare name is looked for on these hosts by name; on any other it is found only where no host has it twice. */
function isAskedInOrder(host: string, naming: Naming): boolean {
  return host === DIRECTORY_HOST || naming.hosts.includes(host.toLowerCase());
}

/** A name that is a dot segment in any spelling can't be one segment of a path: browsers take it away. */
function hasShortPath(parts: PathParts, owner: string, repository: string, naming: Naming): boolean {
  if (!parts.holdsBareName || !isAskedInOrder(parts.host, naming)) return false;
  if (owner === 'id' && (UUID.test(repository) || AGENT_ID.test(repository))) return false;
  return ![owner, repository, parts.artifactName ?? 'x'].some(
    (part) => part === '' || part === '.' || part === '..',
  );
}

/** One path segment; `@` and `:` may stand as they are there. */
function segment(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'))
    .replaceAll('%3A', ':')
    .replaceAll('%40', '@');
}
