import { SUBJECT_TYPES, type SubjectType } from '../../scoring/subject-type.ts';
import { AGENT_ID, UUID } from './normalise.ts';
import { RESERVED_SEGMENTS } from './public-path.ts';
import type { ParsedAddress } from './read-address.ts';

/** A repository, identified by its host's numeric id, which survives renames. */
export interface HostId {
  host: string;
  /** Id in decimal digits. */
  id: string;
}

/**
 * Accepted spellings of a repository id: API URLs of the hosts (some hosts redirect to them), and `host:id/…`, as for
 * platform accounts.
 */
const SHAPES: readonly (readonly [shape: RegExp, host: (match: string) => string])[] = [
  [/^(?:https?:\/\/)?api\.(github\.com)\/repositories\/(\d+)\/?$/, (host) => host],
  [/^(?:https?:\/\/)?(?:www\.)?(gitlab\.com)\/(?:api\/v4\/)?projects\/(\d+)\/?$/, (host) => host],
  [/^(?:https?:\/\/)?(codeberg\.org)\/api\/v1\/repositories\/(\d+)\/?$/, (host) => host],
  [/^(github|gitlab|codeberg):id\/(\d+)$/, (name) => (name === 'codeberg' ? 'codeberg.org' : `${name}.com`)],
  [/^((?:[a-z0-9-]+\.)+[a-z0-9-]+):id\/(\d+)$/, (host) => host],
];

/** Maximum digits of a 64-bit id. */
const MAX_DIGITS = 19;

/** Parses a host's repository id; null for any other text. */
export function readHostId(text: string): HostId | null {
  const asked = text.trim().toLowerCase();
  for (const [shape, hostOf] of SHAPES) {
    const [, named, id] = shape.exec(asked) ?? [];
    if (named !== undefined && id !== undefined && id.length <= MAX_DIGITS)
      return { host: hostOf(named), id };
  }
  return null;
}

const REPOSITORY_PAGES = new Map<string, SubjectType>([
  ['a', 'agent'],
  ['s', 'skill'],
]);
const ACCOUNT_PAGES = new Map<string, SubjectType>([
  ['u', 'social_account'],
  ['m', 'messaging_account'],
]);

/**
 * Parses the decoded path of a page, listing URL or API URL of this site. The results of most paths have a `type`,
 * because these paths name subjects of one type only.
 */
export function readOwnPage(decoded: string[], artifact: string | undefined, site: URL): ParsedAddress[] {
  const base = site.pathname.split('/').filter(Boolean);
  const path = base.every((part, index) => decoded[index] === part) ? decoded.slice(base.length) : decoded;
  const [root = '', first = '', second = '', ...rest] = path;
  const repositoryType = REPOSITORY_PAGES.get(root);
  if (repositoryType) return readRepositoryPage(repositoryType, first, second, rest, artifact);
  if (root === 'c' && path.length === 2) return [{ ...readHandle(first), type: 'creator' }];
  const accountType = ACCOUNT_PAGES.get(root);
  if (accountType && path.length === 3)
    return [{ kind: 'handle', host: first, handle: second, type: accountType }];
  if (root === 'api') return readApiAddress(path.slice(1));
  if (root === 'badge') return readBadge(path.slice(1));
  if (path.length !== 2 || RESERVED_SEGMENTS.has(root)) return [];
  return readRepositoryOf(root, first, artifact ?? null);
}

/** Returns the subject of a public API URL, in a list, which is empty for other URLs. */
function readApiAddress([collection, key = '', ...rest]: string[]): ParsedAddress[] {
  const isWhole = rest.length === 0;
  if (collection === 'agents' && AGENT_ID.test(key) && (isWhole || rest.join('/') === 'lineage'))
    return [{ kind: 'id', id: key }];
  if (collection === 'subjects' && UUID.test(key) && isWhole) return [{ kind: 'id', id: key }];
  if (collection === 'identity' && key !== '' && isWhole) return [{ ...readHandle(key), type: 'creator' }];
  return [];
}

/** Parses `badge/{type}/{id}.svg`, `.json` and `badge/{type}/{id}/card.png`. */
function readBadge([type, file = '', card]: string[]): ParsedAddress[] {
  const known = SUBJECT_TYPES.find((each) => each === type);
  const id = card === undefined ? file.replace(/\.(?:svg|json)$/, '') : file;
  if (!known || !(AGENT_ID.test(id) || UUID.test(id))) return [];
  return [{ kind: 'id', id, type: known }];
}

function readRepositoryPage(
  type: SubjectType,
  owner: string,
  name: string,
  rest: string[],
  artifact: string | undefined,
): ParsedAddress[] {
  if (owner === 'id' && rest.length === 0 && (UUID.test(name) || AGENT_ID.test(name)))
    return [{ kind: 'id', id: name, type }];
  if (rest.length > 1) return [];
  return readRepositoryOf(owner, name, rest[0] ?? artifact ?? null).map((reading) => ({ ...reading, type }));
}

function readRepositoryOf(owner: string, name: string, artifact: string | null): ParsedAddress[] {
  if (!/^[^/\s:@#]+$/.test(owner) || !/^[^/\s#]+$/.test(name) || artifact === '') return [];
  return [{ kind: 'repository', host: null, repository: `${owner}/${name}`, artifact, path: null }];
}

/** Parses `handle`, or `host:handle` if several hosts have the handle. */
function readHandle(text: string): ParsedAddress & { kind: 'handle' } {
  const at = text.lastIndexOf(':');
  if (at > 0) return { kind: 'handle', host: text.slice(0, at), handle: text.slice(at + 1) };
  return { kind: 'handle', host: null, handle: text.replace(/^@/, '') };
}
