import type { Reading } from './address.ts';
import { AGENT_ID, UUID } from './normalise.ts';
import { FIXED_SEGMENTS } from './public-path.ts';
import { SUBJECT_TYPES, type SubjectType } from './subject-type.ts';

const REPOSITORY_PAGES = new Map<string, SubjectType>([
  ['a', 'agent'],
  ['s', 'skill'],
]);
const ACCOUNT_PAGES = new Map<string, SubjectType>([
  ['u', 'social_account'],
  ['m', 'messaging_account'],
]);

/** Reads the path of one of our own pages, listing URLs or API addresses, decoded; a page shows one type and names no other. */
export function readOwnPage(decoded: string[], artifact: string | undefined, site: URL): Reading[] {
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
  if (path.length !== 2 || FIXED_SEGMENTS.has(root)) return [];
  return readRepositoryOf(root, first, artifact ?? null);
}

/** The subject that a public address of the API is about. */
function readApiAddress([collection, key = '', ...rest]: string[]): Reading[] {
  const isWhole = rest.length === 0;
  if (collection === 'agents' && AGENT_ID.test(key) && (isWhole || rest.join('/') === 'lineage'))
    return [{ kind: 'id', id: key }];
  if (collection === 'subjects' && UUID.test(key) && isWhole) return [{ kind: 'id', id: key }];
  if (collection === 'identity' && key !== '' && isWhole) return [{ ...readHandle(key), type: 'creator' }];
  return [];
}

/** `badge/{type}/{id}.svg`, `.json` and `badge/{type}/{id}/card.png`. */
function readBadge([type, file = '', card]: string[]): Reading[] {
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
): Reading[] {
  if (owner === 'id' && rest.length === 0 && (UUID.test(name) || AGENT_ID.test(name)))
    return [{ kind: 'id', id: name, type }];
  if (rest.length > 1) return [];
  return readRepositoryOf(owner, name, rest[0] ?? artifact ?? null).map((reading) => ({ ...reading, type }));
}

function readRepositoryOf(owner: string, name: string, artifact: string | null): Reading[] {
  if (!/^[^/\s:@#]+$/.test(owner) || !/^[^/\s#]+$/.test(name) || artifact === '') return [];
  return [{ kind: 'repository', host: null, repository: `${owner}/${name}`, artifact, path: null }];
}

/** `handle` or, for a handle that another host's account has too, `host:handle`. */
function readHandle(text: string): Reading & { kind: 'handle' } {
  const at = text.lastIndexOf(':');
  if (at > 0) return { kind: 'handle', host: text.slice(0, at), handle: text.slice(at + 1) };
  return { kind: 'handle', host: null, handle: text.replace(/^@/, '') };
}
