import { type CheckItem, type FileItems, gitItem, type SourceFile, skippedItem } from './item.ts';
import { objectOf, textOf } from './json-source.ts';
import { npmItem } from './npm-lock.ts';
import { parseYamlSource, YamlSourceError } from './yaml-source.ts';

/** Reads `yarn.lock`, in the custom format of Yarn 1 or in the YAML of later versions. */
export function readYarnLock(source: SourceFile): FileItems {
  return /^__metadata:/m.test(source.text) ? readBerry(source) : readClassic(source);
}

/**
 * Reads the format of Yarn 1. Throws a YamlSourceError for a line in a form that Yarn 1 does not write, because Yarn
 * may read it differently: Yarn accepts quoted names of members, and reads a file that it can't parse as YAML.
 */
function readClassic(source: SourceFile): FileItems {
  const items: CheckItem[] = [];
  let local = 0;
  /** True within a member such as `dependencies:`. */
  let isInList = false;
  let entry: { names: string; line: number; version?: string; resolved?: string } | undefined;
  const end = () => {
    if (entry === undefined) return;
    const { names, line, version, resolved } = entry;
    const item = classicItem(names, version, resolved, source, line);
    if (item) items.push(item);
    else local += 1;
  };
  for (const [index, text] of source.text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const [, names] = /^([^\s#{}<>=|].*):\s*$/.exec(text) ?? [];
    if (names !== undefined) {
      end();
      entry = { names, line: index + 1 };
      isInList = false;
      continue;
    }
    const [, member, value] = /^ {2}(version|resolved) "?([^"\s\\]+)"?\s*$/.exec(text) ?? [];
    if (entry && (member === 'version' || member === 'resolved')) entry[member] = value ?? '';
    else if (!IGNORED_LINE.test(text) && !(isInList && /^ {4}\S/.test(text)))
      throw new YamlSourceError(`invalid entry in line ${index + 1}`);
    if (/^ {2}\S/.test(text)) isInList = /:\s*$/.test(text);
  }
  end();
  return { items, local };
}

/** Matches blank lines, comments, and members of an entry that do not say what is installed. */
const IGNORED_LINE = /^(\s*(#.*)?| {2}(?!(version|resolved)\b)[A-Za-z]+( "[^"]*"| [^\s:"]\S*|:)\s*)$/;

/** Creates an item for an entry such as `"x@npm:y@^1", y@^1`; returns null for a package of the project. */
function classicItem(
  names: string,
  version: string | undefined,
  resolved: string | undefined,
  source: SourceFile,
  line: number,
): CheckItem | null {
  const [first = ''] = names.split(',');
  const [, installedAs = first, range = ''] = /^"?(@?[^@"]+)@([^"]*)"?$/.exec(first.trim()) ?? [];
  if (/^(file|link|portal|workspace):/.test(range) && resolved === undefined) return null;
  const aliased = /^npm:(@?[^@]+)@/.exec(range)?.[1];
  return npmItem(aliased ?? installedAs, version, resolved, source, line);
}

function readBerry(source: SourceFile): FileItems {
  const items: CheckItem[] = [];
  let local = 0;
  for (const { key, line, value } of parseYamlSource(source.text)()) {
    if (key === '__metadata') continue;
    const { resolution, resolved, version } = objectOf(value);
    // Yarn 1 can read this file as YAML, and would install from the address in `resolved`.
    if (resolved !== undefined) throw new YamlSourceError(`invalid entry in line ${line}`);
    const item = berryItem(textOf(resolution) ?? key, String(version ?? ''), source, line);
    if (item) items.push(item);
    else local += 1;
  }
  return { items, local };
}

/** Creates an item for a resolution such as `name@npm:1.2.3`; returns null for a package of the project. */
function berryItem(resolution: string, version: string, source: SourceFile, line: number): CheckItem | null {
  const [, name = resolution, reference = ''] = /^(@?[^@]+)@(.*)$/.exec(resolution) ?? [];
  const at = { file: source.path, line };
  if (/^(workspace|link|portal):/.test(reference)) return null;
  // For a patched package, the reference contains the encoded resolution of the original package, which may be patched
  // itself.
  if (reference.startsWith('patch:')) {
    const [original = ''] = reference.slice('patch:'.length).split('#', 1);
    return berryItem(decoded(original), version, source, line);
  }
  if (reference.startsWith('file:'))
    return skippedItem(`npm:${name}`, 'from a file of the project', at, version);
  if (reference.startsWith('npm:')) {
    // If the archive is not on the registry's host, its URL follows the version.
    const archive = /::__archiveUrl=([^&]+)/.exec(reference)?.[1];
    const exact = reference.slice('npm:'.length).replace(/::.*/, '');
    return npmItem(name, exact, archive && decodeURIComponent(archive), source, line);
  }
  return gitItem(`npm:${name}`, reference, at, version);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
