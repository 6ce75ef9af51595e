import type { PageLink } from '../../subjects/page-link.ts';
import { safeHref } from '../../ui/safe-href.ts';

/** Where the facts of a page's subject can be looked up. Addresses of others are untrusted. */
export interface SubjectPlaces {
  /** Of the repository, such as `github.com`. */
  host: string | null;
  repositoryUrl: string | null;
  npmPackage: string | null;
  /** What makes the creator's account: its handle, and the page here. */
  creator: { handle: string; path: string } | null;
  /** The same record in our own API; null of an invented example. */
  apiPath: string | null;
  /** The listing that it is inside of, and that most is known of. */
  partOf: PageLink | null;
}

/** Of a subject that has no repository. */
export const NO_REPOSITORY = {
  host: null,
  repositoryUrl: null,
  npmPackage: null,
  creator: null,
  partOf: null,
};

/** A source by the name that people know, and where to look; null where that is not known. */
export interface NamedSource {
  text: string;
  href: string | null;
}

const HOSTS = new Map([
  ['github.com', 'GitHub'],
  ['gitlab.com', 'GitLab'],
  ['codeberg.org', 'Codeberg'],
  ['bitbucket.org', 'Bitbucket'],
]);
/** A list that a source calls `owner/name` is a repository on GitHub: the import's format says so. */
const LIST = /^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/[A-Za-z0-9._-]{1,100}$/;
/** Where the official MCP registry lists the servers of a namespace. */
const MCP_REGISTRY = 'https://registry.modelcontextprotocol.io/v0.1/servers?search=';

/** Where a signal's fact was seen. */
export function sourceOf(source: string, signal: string, places: SubjectPlaces): NamedSource {
  const { host, repositoryUrl, npmPackage, creator } = places;
  switch (source) {
    case 'registry':
      return { text: 'this directory', href: ownPlace(signal, places) };
    case 'linked_accounts':
      return { text: 'accounts proved here', href: creator && `${creator.path}#accounts` };
    case 'mcp_registry':
      return {
        text: 'the MCP registry',
        href: creator && `${MCP_REGISTRY}${encodeURIComponent(`io.github.${creator.handle}/`)}`,
      };
    case 'npm':
      return { text: 'npm', href: npmPackage && `https://www.npmjs.com/package/${encodeURI(npmPackage)}` };
    default:
      if (source === host) return { text: HOSTS.get(source) ?? source, href: safeHref(repositoryUrl) };
      return { text: source, href: listPlace(source) };
  }
}

/** Where a list that rows were imported from can be read; null where its name does not tell. */
export function listPlace(source: string): string | null {
  return LIST.test(source) ? `https://github.com/${source}` : safeHref(source);
}

/** Where this directory itself shows what it counted. */
function ownPlace(signal: string, { creator, apiPath }: SubjectPlaces): string | null {
  switch (signal) {
    case 'verified_listing':
    case 'creator_accounts':
    case 'creator_age':
      return creator && `${creator.path}#accounts`;
    case 'verified_accounts':
    case 'account_age':
      return '#accounts';
    case 'portfolio':
      return '#listings';
    case 'lineage':
      return '#lineage';
    default:
      return apiPath;
  }
}
