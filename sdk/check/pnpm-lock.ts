import { type CheckItem, type FileItems, gitItem, type SourceFile, skippedItem } from './item.ts';
import { objectOf, textOf } from './json-source.ts';
import { npmItem } from './npm-lock.ts';
import { parseYamlSource, type YamlMember } from './yaml-source.ts';

/**
 * Reads `pnpm-lock.yaml`, lock file versions 5 to 9. The keys of `packages` name what is installed: `/name/1.2.3` in
 * version 5, `/name@1.2.3` in version 6, and `name@1.2.3` in version 9. A suffix lists peer dependencies.
 */
export function readPnpmLock(source: SourceFile): FileItems {
  const members = parseYamlSource(source.text);
  const version = members().find(({ key }) => key === 'lockfileVersion')?.value;
  const format = Number.parseFloat(String(version));
  const items = new Map<string, CheckItem>();
  let local = members('importers').filter(({ key }) => key !== '.').length;
  for (const member of members('packages')) {
    const item = pnpmItem(member, format, source);
    if (item === null) local += 1;
    // Before version 9, a package has one entry for each set of its peer dependencies.
    else if (!items.has(item.label)) items.set(item.label, item);
  }
  return { items: [...items.values()], local };
}

const SLASHES = /^\/((?:@[^/]+\/)?[^/]+)\/([^_/]+)(?:[_/].*)?$/;
const AT_SIGN = /^\/?((?:@[^@/]+\/)?[^@/]+)@([^(]+)(?:\(.*)?$/;

/** Creates an item for a package; returns null for a folder of the project. */
function pnpmItem({ key, line, value }: YamlMember, format: number, source: SourceFile): CheckItem | null {
  const { resolution, name: statedName, version: statedVersion } = objectOf(value);
  const { tarball, type, repo, directory } = objectOf(resolution);
  const [, keyName, keyVersion] = (format < 6 ? SLASHES : AT_SIGN).exec(key) ?? [];
  // From version 9 on, pnpm installs the package that the key names and ignores a name in the entry.
  const name = (format >= 9 ? keyName : undefined) ?? textOf(statedName) ?? keyName ?? key;
  const version = textOf(statedVersion) ?? keyVersion;
  const at = { file: source.path, line };
  if (type === 'directory' || directory !== undefined || /^(file|link):/.test(keyVersion ?? key)) {
    return textOf(tarball) === undefined
      ? null
      : skippedItem(`npm:${name}`, 'from a file of the project', at);
  }
  if (type === 'git') return gitItem(`npm:${name}`, textOf(repo) ?? '', at, version ?? null);
  // If a package does not come from a registry, the key in version 9 has a URL instead of the version.
  const address = textOf(tarball) ?? (/^[a-z+]+:/.test(keyVersion ?? '') ? keyVersion : undefined);
  if (keyName === undefined && address === undefined) {
    // In versions 5 and 6, the key of a package from another registry begins with the registry's host.
    return skippedItem(`npm:${name}`, 'from another registry', at, version ?? null);
  }
  return npmItem(name, version?.replace(/\(.*/, ''), address, source, line);
}
