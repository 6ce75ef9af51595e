import type { PageLink } from '../../catalog/subjects/public-path.ts';
import { safeHref } from '../../platform/text/display-formats.ts';
import type { FurtherFactName } from '../../scoring/fact-types.ts';
import { ATTESTATION_SOURCE } from '../../scoring/facts/creator-identity.ts';

/** Links to the sources where the facts of a subject can be checked. URLs of other sites are untrusted. */
export interface SourceLinks {
  /** Host of the repository, such as `github.com`. */
  host: string | null;
  repositoryUrl: string | null;
  npmPackage: string | null;
  /** Creator's handle and page in this directory. */
  creator: { handle: string; path: string } | null;
  /** API path of the subject; null for an invented example. */
  apiPath: string | null;
  /** Listing that contains an artifact; null for a listing. */
  partOf: PageLink | null;
  /** URLs at which facts were observed. Each key is the name of a fact and its source, with a space between them. */
  addresses?: Readonly<Record<string, string>> | undefined;
}

/** Name of the observed fact from which a signal is read, by signal. */
const FACT_OF_SIGNAL: Readonly<Record<string, FurtherFactName>> = {
  creator_age: 'owner_account',
  official_maker: 'official_maker',
  vulnerabilities: 'package_standing',
  provenance: 'published_package',
  releases: 'releases',
  contributors: 'contributors',
  scorecard: 'scorecard',
  security_policy: 'security_policy',
};

/** Source links of a subject without a repository. */
export const NO_SOURCE_LINKS = {
  host: null,
  repositoryUrl: null,
  npmPackage: null,
  creator: null,
  partOf: null,
};

/** Label of a source, and its URL (null if unknown). */
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
/** Matches `owner/name`, which the import format defines as a GitHub repository. */
const GITHUB_LIST = /^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/[A-Za-z0-9._-]{1,100}$/;
/** Search URL of the official MCP registry for the servers of a namespace. */
const MCP_REGISTRY = 'https://registry.modelcontextprotocol.io/v0.1/servers?search=';

/**
 * Returns the label and URL of the source of a signal's fact. The URL is the address at which the fact was observed, if
 * that address is stored.
 */
export function signalSource(source: string, signal: string, links: SourceLinks): NamedSource {
  const named = statedSource(source, signal, links);
  const fact = Object.hasOwn(FACT_OF_SIGNAL, signal) ? FACT_OF_SIGNAL[signal] : undefined;
  const read = fact === undefined ? null : safeHref(links.addresses?.[`${fact} ${source}`] ?? null);
  return read === null ? named : { ...named, href: read };
}

/**
 * Returns true if the source of a fact states no date for it: for example a list that states a licence, or a statement
 * about which creators own a namespace of the MCP registry. The stored time of such a fact is used only to compute its
 * age, so it is not shown.
 */
export function isUndated(source: string, signal: string, { host }: Pick<SourceLinks, 'host'>): boolean {
  if (source === ATTESTATION_SOURCE) return true;
  return signal === 'license' && source !== host && (source === 'registry' || listUrl(source) !== null);
}

function statedSource(source: string, signal: string, links: SourceLinks): NamedSource {
  const { host, repositoryUrl, npmPackage, creator } = links;
  switch (source) {
    case 'registry':
      // Several lists name the repository, and it is not stored which of them states the licence.
      if (signal === 'license') return { text: 'one of its lists', href: ownPath(signal, links) };
      return { text: 'this directory', href: ownPath(signal, links) };
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
      return { text: source, href: listUrl(source) };
  }
}

/** Derives the URL of an imported list from its source name; null if the name is no URL and no GitHub repository. */
export function listUrl(source: string): string | null {
  return GITHUB_LIST.test(source) ? `https://github.com/${source}` : safeHref(source);
}

/** Returns the page or anchor in this directory that shows the data from which a signal was counted. */
function ownPath(signal: string, { creator, apiPath }: SourceLinks): string | null {
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
