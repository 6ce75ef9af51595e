import type { SubjectType } from '../../scoring/subject-type.ts';
import { normalisePypiName } from './normalise.ts';
import { type PlatformHandle, readFediverse, readProfile } from './platforms.ts';
import { BUILT_IN_HOSTS, type PublicUrls } from './public-path.ts';
import { readOwnPage } from './read-host-id.ts';

const SEGMENT = /^(?!\.{1,2}$)[^\s:@#?\\]+$/;
const SCHEME = /^(?:git\+)?(https?|ssh|git):\/\//;
/** Short names of repository hosts, as npm knows them. */
const SHORT_HOSTS = new Map<string, string>(BUILT_IN_HOSTS.map((host) => [host.replace(/\..*/, ''), host]));

/**
 * Parses a web, git or registry address: a text with a scheme, or with a known host and a path, or of the form
 * `host:owner/repo`. Returns null for any other text.
 */
export function readUrl(text: string, publicUrls: PublicUrls): ParsedAddress[] | null {
  const [body = '', artifact] = splitOnce(text, '#');
  const scheme = SCHEME.exec(body)?.[1];
  // `ssh://git@host:owner/repo` mixes two spellings, but npm writes it this way.
  if (scheme)
    return readWebUrl(
      body.replace(SCHEME, 'https://').replace(/:(?=[^/\d][^/]*\/[^/]+$)/, '/'),
      scheme,
      artifact,
      publicUrls,
    );
  const [host = '', ...path] = body.split('/');
  const known =
    publicUrls.hosts.includes(host.replace(/^www\./, '')) ||
    host === publicUrls.site.host ||
    isRegistry(host);
  const isProfile = readProfile(host, path) !== undefined;
  if ((known && path.length > 0) || isProfile)
    return readWebUrl(`https://${body}`, 'https', artifact, publicUrls);
  const scp = /^(?:[^@/\s]+@)?([^@/:\s]+):(?!\/)([^/:]+\/.+)$/.exec(body);
  if (scp?.[1] && scp[2])
    return readRepositoryPath(SHORT_HOSTS.get(scp[1]) ?? scp[1], scp[2].split('/'), artifact);
  return null;
}

/** Parses `owner/repo`, `owner/repo#artifact`, `owner/repo/path` and `host.tld/owner/repo`. */
export function readRepository(text: string): ParsedAddress[] {
  const [body = '', artifact] = splitOnce(text, '#');
  const segments = body.replace(/\/+$/, '').split('/');
  if (segments.length < 2) return [];
  const [host = '', ...rest] = segments;
  // `server.example/@user` is a profile: no owner with a dot in its name precedes a repository that begins with `@`.
  if (host.includes('.') && rest.length === 1 && rest[0]?.startsWith('@')) return handleOn(host, rest[0]);
  const withHost = host.includes('.') && rest.length > 1 ? readRepositoryPath(host, rest, artifact) : [];
  return [...withHost, ...readRepositoryPath(null, segments, artifact)];
}

/** Parses `platform:handle`, `npm:name` and `pypi:name`. */
export function readPrefixed(text: string): ParsedAddress[] {
  const [prefix = '', rest = ''] = splitOnce(text, ':');
  if (rest === '' || /\s/.test(rest)) return [];
  if (prefix === 'npm') return readNpmName(rest);
  if (prefix === 'pypi') return readPypiName(rest);
  if (/[/:]/.test(rest)) return [];
  return [{ kind: 'handle', host: SHORT_HOSTS.get(prefix) ?? prefix, handle: rest.replace(/^@/, '') }];
}

function readWebUrl(
  url: string,
  scheme: string,
  artifact: string | undefined,
  publicUrls: PublicUrls,
): ParsedAddress[] {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const path = parsed && decodePath(parsed.pathname);
  if (!parsed || !path) return [];
  const isWeb = scheme.startsWith('http');
  // A port is part of a web address. For `ssh` it only says how to reach the same repository.
  const host = (isWeb ? parsed.host : parsed.hostname).replace(/^www\./, '');
  if (isWeb && parsed.host === publicUrls.site.host) return readOwnPage(path, artifact, publicUrls.site);
  if (isRegistry(host)) return readRegistry(host, path);
  const profile = readProfile(host, path);
  if (profile !== undefined) return profile ? [toReading(profile)] : [];
  if (path.length === 1 && artifact === undefined) return handleOn(host, path[0] ?? '');
  // npm appends `#readme` to every home page. Read the fragment as an artifact first, then ignore it.
  const user = path.length === 2 && path[0] === 'users' ? handleOn(host, path[1] ?? '') : [];
  const readings = [...user, ...readRepositoryPath(host, path, artifact)];
  return artifact === 'readme' ? [...readings, ...readRepositoryPath(host, path, undefined)] : readings;
}

/**
 * Returns the repository, or an artifact of it by name or path. A view of a branch (`/tree/main`) means the
 * repository.
 */
function readRepositoryPath(
  host: string | null,
  path: string[],
  artifact: string | undefined,
): ParsedAddress[] {
  const [owner = '', name = '', ...rest] = path.filter((part, index) => part !== '' || index < 2);
  const repository = `${owner}/${name.replace(/\.git$/, '')}`;
  if (!SEGMENT.test(owner) || !SEGMENT.test(name) || name === '.git') return [];
  const below = rest.length === 0 ? [] : withoutBranch(host, rest);
  if (artifact !== undefined) {
    return artifact === '' || below.length > 0
      ? []
      : [{ kind: 'repository', host, repository, artifact, path: null }];
  }
  return [
    {
      kind: 'repository',
      host,
      repository,
      artifact: null,
      path: below.length === 0 ? null : below.join('/'),
    },
  ];
}

/**
 * Removes a host's branch prefix: `tree/main/skills/x` becomes `skills/x`. A path to a skill's file means its folder.
 */
function withoutBranch(host: string | null, path: string[]): string[] {
  const parts = path.at(-1) === 'skill.md' ? path.slice(0, -1) : path;
  if (host === null) return parts;
  const view = parts[0] === '-' ? parts.slice(1) : parts;
  if (view[0] === 'tree' || view[0] === 'blob') return view.slice(2);
  if (view[0] === 'src' && view[1] === 'branch') return view.slice(3);
  if (view[0] === 'src' && host === 'bitbucket.org') return view.slice(2);
  return parts;
}

function isRegistry(host: string): boolean {
  return ['npmjs.com', 'registry.npmjs.org', 'pypi.org', 'pypi.python.org'].includes(
    host.replace(/^www\./, ''),
  );
}

function readRegistry(host: string, path: string[]): ParsedAddress[] {
  const isNpm = host.includes('npmjs');
  const root = isNpm ? 'package' : host === 'pypi.org' ? 'project' : 'pypi';
  const [first = '', second = ''] =
    host === 'registry.npmjs.org' ? path : path[0] === root ? path.slice(1) : [];
  if (first === '') return [];
  if (!isNpm) return readPypiName(first);
  // The npm registry writes a scoped name as one segment, `@scope%2fname`.
  const isScopeAlone = first.startsWith('@') && !first.includes('/');
  return isScopeAlone && second === '' ? [] : readNpmName(isScopeAlone ? `${first}/${second}` : first);
}

/**
 * Returns the platform account at the end of a profile URL. Servers show accounts of other servers as `@user@server`.
 */
function handleOn(host: string, segment: string): ParsedAddress[] {
  const handle = segment.replace(/^@/, '');
  if (SEGMENT.test(handle)) return [{ kind: 'handle', host, handle }];
  const elsewhere = readFediverse(handle);
  return elsewhere ? [toReading(elsewhere)] : [];
}

function toReading({ platform, handle }: PlatformHandle): ParsedAddress {
  return { kind: 'handle', host: platform, handle };
}

/** Decodes the segments of a path and drops empty ones. Returns null if an escape is broken. */
export function decodePath(pathname: string): string[] | null {
  try {
    return pathname.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** Splits the text at the first separator. */
export function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/**
 * A parsed name or address of a subject, before any database lookup. Parsers return several, the most specific first.
 */
type Address =
  | { kind: 'id'; id: string }
  | { kind: 'package'; label: string }
  | {
      kind: 'repository';
      host: string | null;
      repository: string;
      artifact: string | null;
      path: string | null;
    }
  | { kind: 'handle'; host: string | null; handle: string }
  | { kind: 'name'; name: string };

/**
 * An address. If the text states a subject type, as page URLs of this site do, `type` is the only type that it can
 * mean.
 */
export type ParsedAddress = Address & { type?: SubjectType };

/** Parses an npm package name, `name` or `@scope/name`, and drops a version such as `@1.2.3`. */
export function readNpmName(text: string): ParsedAddress[] {
  const name = /^(@?[^@]+)@.*$/.exec(text)?.[1] ?? text;
  return name === '' ? [] : [{ kind: 'package', label: `npm:${name}` }];
}

/** Parses a PyPI package name, and drops version and extras: `name`, `name@1.0`, `name[extra]>=1.0`. */
function readPypiName(text: string): ParsedAddress[] {
  const [name = ''] = text.split(/[@[=<>!~;]/);
  return name === '' ? [] : [{ kind: 'package', label: `pypi:${normalisePypiName(name)}` }];
}

/**
 * Parses a lower-case package URL (`pkg:npm/%40scope/name@1.0?arch=x#path`) of npm, PyPI or a repository host. Ignores
 * the version, qualifiers and subpath. Returns null if the text is not a package URL.
 */
export function readPackageUrl(text: string): ParsedAddress[] | null {
  const body = /^pkg:\/*(.+)$/.exec(text)?.[1];
  if (body === undefined) return null;
  const [path = ''] = body.split(/[?#]/);
  const [type = '', ...segments] = path.split('/').filter(Boolean).map(decode);
  const name = segments.join('/');
  if (name === '') return [];
  if (type === 'npm') return readNpmName(name);
  if (type === 'pypi') return readPypiName(name);
  const host = SHORT_HOSTS.get(type);
  const [owner = '', repository = '', ...more] = name.replace(/@[^@/]*$/, '').split('/');
  if (host === undefined || owner === '' || repository === '' || more.length > 0) return [];
  return [{ kind: 'repository', host, repository: `${owner}/${repository}`, artifact: null, path: null }];
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
