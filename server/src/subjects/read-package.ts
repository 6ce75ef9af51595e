import type { Reading } from './address.ts';
import { normalisePypiName } from './normalise.ts';

/** Hosts of the package URL types that stand for repositories. */
const PURL_HOSTS = new Map([
  ['github', 'github.com'],
  ['gitlab', 'gitlab.com'],
  ['codeberg', 'codeberg.org'],
  ['bitbucket', 'bitbucket.org'],
]);

/** The npm package that a text names, whatever version it asks for: `name`, `@scope/name`, either with `@1.2.3`. */
export function readNpmName(text: string): Reading[] {
  const name = /^(@?[^@]+)@.*$/.exec(text)?.[1] ?? text;
  return name === '' ? [] : [{ kind: 'package', label: `npm:${name}` }];
}

/** The PyPI package that a text names, whatever version or extras it asks for: `name`, `name@1.0`, `name[extra]>=1.0`. */
export function readPypiName(text: string): Reading[] {
  const [name = ''] = text.split(/[@[=<>!~;]/);
  return name === '' ? [] : [{ kind: 'package', label: `pypi:${normalisePypiName(name)}` }];
}

/**
 * Reads a package URL (`pkg:npm/%40scope/name@1.0?arch=x#path`) of npm, PyPI or a repository host, in lower case; versions
 * and what follows them don't count. Null for a text that is none.
 */
export function readPackageUrl(text: string): Reading[] | null {
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
