import { parse } from 'smol-toml';
import {
  type CheckItem,
  type FileItems,
  gitItem,
  packageItem,
  registryItem,
  type SourceFile,
  skippedItem,
} from './item.ts';
import { objectOf, textOf } from './json-source.ts';

/** Thrown for a text that is not valid TOML, or in which `package` is no list of tables. */
export class TomlSourceError extends Error {}

const PYPI = 'https://pypi.org/simple';

/** Reads `uv.lock`, in which each package states its source. */
export function readUvLock(source: SourceFile): FileItems {
  return readPackages(source, (name, version, of, line) => {
    const { registry, git, url, path, directory, editable, virtual } = objectOf(of.source);
    const at = { file: source.path, line };
    if ([directory, editable, virtual].some((each) => each !== undefined)) return null;
    if (textOf(git) !== undefined) return gitItem(`pypi:${name}`, textOf(git) ?? '', at, version);
    if (url !== undefined) return skippedItem(`pypi:${name}`, 'from an address of its own', at, version);
    if (path !== undefined) return skippedItem(`pypi:${name}`, 'from a file of the project', at, version);
    // uv installs the files from the addresses that the lock file states.
    const files = [of.sdist, ...(Array.isArray(of.wheels) ? of.wheels : [])].flatMap(
      (file) => textOf(objectOf(file).url) ?? [],
    );
    const isOther = (file: string) => !/^\w+:/.test(file) || !source.registries.isPublic('pypi', file);
    const index = textOf(registry) ?? '';
    const from = source.registries.isPublic('pypi', index) ? (files.find(isOther) ?? index) : index;
    if (files.some((file) => !isFileOf(name, file)))
      return skippedItem(`pypi:${name}`, 'its files have the name of another package', at, version);
    return registryItem('pypi', name, version, from, source, line);
  });
}

const normalized = (name: string) => name.toLowerCase().replaceAll(/[-_.]+/g, '-');

/** Returns true if the file name of a wheel or source archive contains exactly this package name. */
function isFileOf(name: string, address: string): boolean {
  const file = address.replace(/[?#].*/s, '').replace(/^.*\//s, '');
  const [, ofWheel] = /^([^-]+)-.*\.whl$/.exec(file) ?? [];
  const [, ofArchive] = /^(.+)-[^-]+\.(?:tar\.\w+|tgz|zip)$/.exec(file) ?? [];
  return normalized(ofWheel ?? ofArchive ?? '') === normalized(name);
}

/** Reads `poetry.lock`, in which a package without a source comes from PyPI. */
export function readPoetryLock(source: SourceFile): FileItems {
  return readPackages(source, (name, version, of, line) => {
    const { type, url } = objectOf(of.source);
    const at = { file: source.path, line };
    if (of.source === undefined) return packageItem('pypi', name, version, at);
    if (type === 'directory') return null;
    if (type === 'git') return gitItem(`pypi:${name}`, textOf(url) ?? '', at, version);
    if (type === 'url') return skippedItem(`pypi:${name}`, 'from an address of its own', at, version);
    if (type === 'file') return skippedItem(`pypi:${name}`, 'from a file of the project', at, version);
    return registryItem('pypi', name, version, textOf(url) ?? PYPI, source, line);
  });
}

type ReadOne = (
  name: string,
  version: string | null,
  of: Readonly<Record<string, unknown>>,
  line: number,
) => CheckItem | null;

function readPackages(source: SourceFile, readOne: ReadOne): FileItems {
  const packages = tables(source.text);
  const lines = headerLines(source.text);
  const items: CheckItem[] = [];
  let local = 0;
  for (const [index, entry] of packages.entries()) {
    const of = objectOf(entry);
    const name = textOf(of.name);
    if (name === undefined) continue;
    // The parser keeps no line numbers, so use the lines of the headers: packages and headers have the same order.
    const item = readOne(name, textOf(of.version) ?? null, of, lines[index] ?? 1);
    if (item) items.push(item);
    else local += 1;
  }
  return { items, local };
}

function tables(text: string): readonly unknown[] {
  try {
    const { package: packages = [] } = parse(text);
    if (Array.isArray(packages)) return packages;
    throw new TomlSourceError('package is no list of tables');
  } catch (error) {
    if (error instanceof TomlSourceError) throw error;
    const { line } = error as { line?: number };
    throw new TomlSourceError(`invalid TOML${line === undefined ? '' : ` in line ${line}`}`);
  }
}

/** Returns the line numbers of the headers `[[package]]`. */
function headerLines(text: string): number[] {
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((line, index) => (/^\[\[\s*package\s*\]\]\s*(#.*)?\r?$/.test(line) ? [index + 1] : []));
}
