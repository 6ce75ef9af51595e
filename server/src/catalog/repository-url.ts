import { DomainError } from '../platform/errors/domain-error.ts';

const OWNER = /^~?[A-Za-z0-9._-]{1,100}$/;

const REPOSITORY_NAME = /^[A-Za-z0-9._-]{1,100}$/;

const DOTS = /^\.{1,2}$/;

/** Returns true for an `owner/name` that repository hosts allow: it has one slash, and no part is `.` or `..`. */
export function isRepositoryName(text: string): boolean {
  const [owner = '', name = '', ...more] = text.split('/');
  return more.length === 0 && isOwnerName(owner) && REPOSITORY_NAME.test(name) && !DOTS.test(name);
}

/** Returns true for a name that repository hosts allow for a host account. */
export function isOwnerName(text: string): boolean {
  return OWNER.test(text) && !DOTS.test(text);
}

/** A normalised repository URL. Owner and repository keep their case. */
export interface RepositoryUrl {
  /** Repository host, lower case. */
  host: string;
  /** Repository in the form `owner/repo`. */
  repository: string;
  url: string;
}

/**
 * Matches git and npm spellings: `git@host:owner/repo`, `ssh://…`, `git://…`. Leaves out a port, because it belongs to
 * the git protocol.
 */
const GIT_ADDRESS = /^(?:git@|(?:git\+)?(?:ssh|git):\/\/(?:git@)?)([^/:@?#]+)(?::\d+)?[:/](.+)$/i;
const NO_SCHEME = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+\//i;

/**
 * Parses the URL of a repository on an allowed host, as a web address or in a git spelling. Ignores `www.`, `.git` and
 * a final slash. Throws invalid_request for any other text, such as one with another host, credentials, a longer path,
 * or a port in a web address.
 */
export function readRepositoryUrl(text: string, allowedHosts: readonly string[]): RepositoryUrl {
  const address = webAddress(text);
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw refuse('must be the address of a repository, such as https://github.com/owner/repo.');
  if (url.username !== '' || url.password !== '' || url.port !== '')
    throw refuse('must not contain a port or credentials.');
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

/**
 * Converts git and npm spellings to a web address, and adds `https://` to an address without a scheme. Returns any
 * other text unchanged.
 */
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
