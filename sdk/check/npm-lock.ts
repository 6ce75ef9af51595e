import {
  type CheckItem,
  type FileItems,
  gitItem,
  registryItem,
  repositoryOf,
  type SourceFile,
  skippedItem,
} from './item.ts';
import { type JsonSource, JsonSourceError, objectOf, parseJsonSource, textOf } from './json-source.ts';

/** Reads `package-lock.json` and `npm-shrinkwrap.json`, lock file versions 1 to 3. */
export function readNpmLock(source: SourceFile): FileItems {
  const json = parseJsonSource(source.text);
  const root = objectOf(json.value);
  if (root.packages === undefined) return readTree(json, source);
  const { items, local } = readPackages(json, source);
  // Version 2 has `packages` and `dependencies`, which should agree. npm 6 reads the latter, later versions the former.
  const known = new Set(items.map(({ label }) => label));
  return {
    items: [...items, ...readTree(json, source).items.filter(({ label }) => !known.has(label))],
    local,
  };
}

/** Reads `packages`, which has one member for each folder, including those of workspaces. */
function readPackages(json: JsonSource, source: SourceFile): FileItems {
  const packages = requireObject(objectOf(json.value).packages, 'packages');
  const items: CheckItem[] = [];
  let local = 0;
  for (const [folder, entry] of Object.entries(packages)) {
    if (folder === '') continue;
    const { name: ownName, version, resolved, link } = objectOf(entry);
    const installedAs = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(folder)?.[1];
    // npm writes no archive for a folder outside of node_modules, so an entry with one does not count as local.
    const isFolder = installedAs === undefined && textOf(resolved) === undefined;
    if (isFolder || link === true) {
      // Counts a link and its target folder as one package.
      if (isFolder) local += 1;
      continue;
    }
    // For an alias (`"x": "npm:y@1"`), the entry contains the actual name.
    const name = textOf(ownName) ?? installedAs ?? folder;
    const line = json.lineOf(packages, folder);
    items.push(npmItem(name, textOf(version), textOf(resolved), source, line));
  }
  return { items, local };
}

/** Returns a member that must be an object: any other value must not count as empty. Throws a JsonSourceError. */
function requireObject(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return objectOf(value);
  throw new JsonSourceError(`${name} is no object`);
}

/** Reads the nested `dependencies` of lock file version 1. */
function readTree(json: JsonSource, source: SourceFile): FileItems {
  const items: CheckItem[] = [];
  let local = 0;
  const walk = (dependencies: Readonly<Record<string, unknown>>) => {
    for (const [installedAs, entry] of Object.entries(dependencies)) {
      const { version, resolved, dependencies: inner } = objectOf(entry);
      const stated = textOf(version) ?? '';
      const line = json.lineOf(dependencies, installedAs);
      const [, aliased, aliasVersion] = /^npm:(@?[^@]+)@(.+)$/.exec(stated) ?? [];
      if (/^file:(?!.*\.(?:tgz|tar|tar\.gz)$)/.test(stated)) local += 1;
      else if (aliased) items.push(npmItem(aliased, aliasVersion, textOf(resolved), source, line));
      else items.push(npmItem(installedAs, stated, textOf(resolved), source, line));
      walk(objectOf(inner));
    }
  };
  const { dependencies = {} } = objectOf(json.value);
  walk(requireObject(dependencies, 'dependencies'));
  return { items, local };
}

/**
 * Creates an item for a package of an npm lock file. `stated` is the value of the field `version`. `resolved` is the
 * URL from which the package is installed; without it, the package comes from the registry of its scope.
 */
export function npmItem(
  name: string,
  stated: string | undefined,
  resolved: string | undefined,
  source: SourceFile,
  line: number,
): CheckItem {
  const at = { file: source.path, line };
  // Before version 7, npm writes the URL into the field `version`.
  const address = stated !== undefined && /^[a-z+]+:/.test(stated) ? stated : resolved;
  const version = stated !== undefined && /^v?\d/.test(stated) ? stated.replace(/^v/, '') : null;
  if (address === undefined)
    return registryItem('npm', name, version, source.registries.npmRegistryOf(name), source, line);
  // Yarn's offline mirror and old versions of npm state the path of an archive without a scheme.
  if (!/^[a-z+]+:/i.test(address) || address.startsWith('file:'))
    return skippedItem(`npm:${name}`, 'from a file of the project', at, version);
  if (/^git[+:]|^(github|gitlab|bitbucket):|\.git(#|$)/.test(address))
    return gitItem(`npm:${name}`, address, at, version);
  // Check the scope's registry too, because a private proxy may write public URLs into the lock file.
  const configured = source.registries.npmRegistryOf(name);
  const registry = source.registries.isPublic('npm', configured) ? address : configured;
  if (!source.registries.isPublic('npm', registry)) {
    const { href } = URL.canParse(address) ? new URL(address) : { href: '' };
    const repository = /^https:\/\/codeload\.github\.com\/([\w.-]+\/[\w.-]+)\/tar\.gz\/[^%]+$/.exec(
      href,
    )?.[1];
    if (repository) return gitItem(`npm:${name}`, `https://github.com/${repository}`, at, version);
    return repositoryOf(address) && /\/archive\//.test(address)
      ? gitItem(`npm:${name}`, address, at, version)
      : registryItem('npm', name, version, registry, source, line);
  }
  const real = packageOf(address);
  return registryItem('npm', real?.name ?? name, real?.version ?? version, registry, source, line);
}

/**
 * Returns name and version of the package from the URL of its archive. The URL determines what npm installs, even if
 * the lock file states another name. Returns null for a URL of another form.
 */
function packageOf(address: string): { name: string; version: string | null } | null {
  if (!URL.canParse(address)) return null;
  const [, encoded, file = ''] =
    /^\/((?:@[^/]+(?:\/|%2f))?[^/@]+)\/-\/(?:@[^/]+(?:\/|%2f))?([^/]+)\.tgz$/i.exec(
      new URL(address).pathname,
    ) ?? [];
  if (encoded === undefined) return null;
  const name = decodeURIComponent(encoded);
  const prefix = `${name.replace(/^@[^/]+\//, '')}-`;
  const version = decodeURIComponent(file);
  return { name, version: version.startsWith(prefix) ? version.slice(prefix.length) : null };
}
