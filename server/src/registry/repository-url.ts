import { DomainError } from '../domain-error.ts';
import { isRepositoryName } from './repository-name.ts';

/** A repository's address in its one normal form; the owner's and repository's own spelling is kept. */
export interface RepositoryUrl {
  /** Lower case. */
  host: string;
  /** `owner/repo`. */
  repository: string;
  url: string;
}

/** `git@host:owner/repo`, and the addresses that git and npm write with a scheme of their own. A port there is git's. */
const GIT_ADDRESS = /^(?:git@|(?:git\+)?(?:ssh|git):\/\/(?:git@)?)([^/:@?#]+)(?::\d+)?[:/](.+)$/i;
const NO_SCHEME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+\//i;

/**
 * Reads the address of a repository on one of the allowed hosts, as a web address or in any of git's spellings: no port or
 * sign-in data, and a path of owner and repository only; `www.`, `.git` and a slash at the end don't count. Throws
 * invalid_request.
 */
export function readRepositoryUrl(text: string, allowedHosts: readonly string[]): RepositoryUrl {
  const address = webAddress(text);
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw refuse('must be the address of a repository, such as https://github.com/owner/repo.');
  if (url.username !== '' || url.password !== '' || url.port !== '')
    throw refuse('may hold no port and no sign-in data.');
  const host = url.hostname.replace(/^www\./, '');
  if (!allowedHosts.includes(host)) throw refuse(`must name a repository on ${listed(allowedHosts)}.`);
  const repository = url.pathname
    .replace(/^\//, '')
    .replace(/\/$/, '')
    .replace(/\.git$/i, '');
  if (url.search !== '' || url.hash !== '' || !isRepositoryName(repository) || /\.git$/i.test(repository)) {
    throw refuse(`must end with owner and repository, such as https://${host}/owner/repo.`);
  }
  return { host, repository, url: `https://${host}/${repository}` };
}

/** The web address that another spelling stands for; any other text as it is. */
function webAddress(text: string): string {
  const [, host, path] = GIT_ADDRESS.exec(text) ?? [];
  if (host !== undefined) return `https://${host}/${path}`;
  if (NO_SCHEME.test(text)) return `https://${text}`;
  return text.replace(/^git\+(?=https?:)/i, '');
}

function refuse(reason: string): DomainError {
  return new DomainError('invalid_request', `repoHostUrl ${reason}`);
}

function listed(hosts: readonly string[]): string {
  return hosts.length < 2 ? hosts.join('') : `${hosts.slice(0, -1).join(', ')} or ${hosts.at(-1)}`;
}
