import { normalisePypiName } from './normalise.ts';
import type { ParsedAddress } from './read-address.ts';

/** Hosts of the package URL types that identify repositories. */
const PURL_HOSTS = new Map([
  ['github', 'github.com'],
  ['gitlab', 'gitlab.com'],
  ['codeberg', 'codeberg.org'],
  ['bitbucket', 'bitbucket.org'],
]);

/** Parses an npm package name and ignores its version: `name`, `@scope/name`, either with `@1.2.3`. */
export function readNpmName(text: string): ParsedAddress[] {
  const name = /^(@?[^@]+)@.*$/.exec(text)?.[1] ?? text;
  return name === '' ? [] : [{ kind: 'package', label: `npm:${name}` }];
}

/** Parses a PyPI package name and ignores version and extras: `name`, `name@1.0`, `name[extra]>=1.0`. */
export function readPypiName(text: string): ParsedAddress[] {
  const [name = ''] = text.split(/[@[=<>!~;]/);
  return name === '' ? [] : [{ kind: 'package', label: `pypi:${normalisePypiName(name)}` }];
}

/**
 * Parses a lower-case package URL (`pkg:npm/%40scope/name@1.0?arch=x#path`) of npm, PyPI or a repository host. Ignores
 * the version, qualifiers and subpath. Null if the text is not a package URL.
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
  const host = PURL_HOSTS.get(type);
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
