import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { findRegistries, REQUIREMENTS_FILE, type Surroundings } from './find-registries.ts';
import type { CheckItem, FileItems, SourceFile } from './item.ts';
import { JsonSourceError, objectOf, parseJsonSource } from './json-source.ts';
import { readMcpSettings } from './mcp-settings.ts';
import { readNpmLock } from './npm-lock.ts';
import { readPnpmLock } from './pnpm-lock.ts';
import { readPoetryLock, readUvLock, TomlSourceError } from './python-lock.ts';
import { foldersAbove, optionalText, readText } from './read-text.ts';
import { readConstraints, readRequirements } from './requirements.ts';
import { type Checkout, readSkill } from './skill-folder.ts';
import { YamlSourceError } from './yaml-source.ts';
import { readYarnLock } from './yarn-lock.ts';

/** Items that were found in files and folders. */
export interface Collected {
  readonly items: readonly CheckItem[];
  /** Files that were found, even those that can't be read, as paths from the working directory. */
  readonly files: readonly string[];
  /** Number of the project's own packages, which are not checked. */
  readonly local: number;
  /** Files and folders that were not read, with the reason. */
  readonly problems: readonly { readonly file: string; readonly message: string }[];
}

/** Thrown for a path that does not exist, or that contains no file of a known format. */
export class PathError extends Error {}

/** Limits of the search: depth and number of folders. */
const MAX_DEPTH = 6;
const MAX_FOLDERS = 20_000;
/** Folders that are not searched: installed packages, build results, caches and the data of version control. */
const SKIPPED_FOLDERS =
  /^(node_modules|bower_components|vendor|\.git|\.hg|\.svn|\.venv|venv|\.tox|\.nox|__pycache__|site-packages|\.yarn|\.pnpm-store|\.cache|\.next|target)$/;

type Reader = (source: SourceFile) => FileItems;

/** Readers of known files, by a pattern of the file's name. */
const READERS: readonly (readonly [name: RegExp, read: Reader])[] = [
  [/^(package-lock|npm-shrinkwrap)\.json$/, readNpmLock],
  [/^pnpm-lock\.yaml$/, readPnpmLock],
  [/^yarn\.lock$/, readYarnLock],
  [/^uv\.lock$/, readUvLock],
  [/^poetry\.lock$/, readPoetryLock],
  [REQUIREMENTS_FILE, readRequirements],
  [/^(\.?mcp|claude_desktop_config|mcp_config|cline_mcp_settings)\.json$/, readMcpSettings],
  [/^SKILL\.md$/, (source) => readSkill(source, checkoutOf(dirname(source.path)))],
];

const isPython = (read: Reader) => read === readRequirements || read === readConstraints;

const readerOf = (path: string) => READERS.find(([name]) => name.test(basename(path)))?.[1];

/**
 * Reads all known files at the paths, and the files that requirements files include. Searches folders to a depth of 6,
 * skips installed packages, and does not follow links to folders. A file that is a link, or that another one includes,
 * must be within the working directory or one of the paths. Otherwise an untrusted project could name any file of this
 * machine, whose lines would then be sent.
 * Executes nothing. Throws a PathError for a path without known files.
 */
export function collectItems(paths: readonly string[], around: Surroundings): Collected {
  const items: CheckItem[] = [];
  const problems: { file: string; message: string }[] = [];
  const seen = new Set<string>();
  let local = 0;
  const named = paths.map((path) => resolve(around.folder, path));
  const shownPath = (path: string) => relative(around.folder, path).split(sep).join('/') || basename(path);
  const onUnread = (folder: string, message: string) => problems.push({ file: shownPath(folder), message });
  const given = new Set(named);
  const files = named.flatMap((path) => filesAt(path, onUnread));
  const included: string[] = [];
  const constraints: string[] = [];
  const roots = [around.folder, ...named].map((path) => realpathSync(path));
  const readFile = (path: string, choose: (text: string) => Reader | undefined) => {
    if (seen.has(path)) return;
    seen.add(path);
    const shown = shownPath(path);
    try {
      if (!given.has(path) && !isWithin(roots, path)) {
        problems.push({ file: shown, message: OUTSIDE });
        return;
      }
      const text = readText(path);
      const read = choose(text);
      if (!read) throw new PathError(unknownFile(shown));
      const found = read({
        path,
        text,
        registries: findRegistries(path, isPython(read) ? text : null, around),
      });
      items.push(...found.items.map((item) => ({ ...item, file: shown })));
      local += found.local;
      const beside = (files: readonly string[] = []) => files.map((file) => resolve(dirname(path), file));
      included.push(...beside(found.includes));
      constraints.push(...beside(found.constraints));
    } catch (error) {
      if (error instanceof PathError) throw error;
      problems.push({ file: shown, message: problemOf(error) });
    }
  };
  for (const path of files) readFile(path, (text) => readerOf(path) ?? sniffedReader(path, text));
  for (const path of included) readFile(path, () => readRequirements);
  // Read constraints last, so that a file that is also checked or included is read as a requirements file.
  for (const path of constraints) readFile(path, () => readConstraints);
  return {
    items,
    local,
    problems,
    files: [...seen].map((path) => relative(around.folder, path).split(sep).join('/')),
  };
}

const OUTSIDE =
  'It was not read, because it is outside the checked folders. Name it as a path, or check from a folder that contains it.';

/** Returns true if a path equals one of the roots or is within it, once all links are resolved. */
function isWithin(roots: readonly string[], path: string): boolean {
  const real = realpathSync(path);
  return roots.some((root) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep));
}

const unknownFile = (path: string) =>
  `${path} is no file that check reads. It reads package-lock.json, npm-shrinkwrap.json, pnpm-lock.yaml, yarn.lock, uv.lock, poetry.lock, requirements*.txt, MCP settings (.mcp.json, mcp.json, claude_desktop_config.json) and SKILL.md.`;

function problemOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const isSaid = [JsonSourceError, YamlSourceError, TomlSourceError, RangeError].some(
    (kind) => error instanceof kind,
  );
  return isSaid ? `It can't be read: ${message}.` : `It can't be read (${code ?? message}).`;
}

/** Returns the known files of a folder, or the file itself. */
function filesAt(path: string, onUnread: (folder: string, message: string) => void): string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new PathError(`There is no file or folder ${path}.`);
  if (!stats.isDirectory()) return [path];
  const found: string[] = [];
  const folders: [folder: string, depth: number][] = [[path, 0]];
  for (const [folder, depth] of folders) {
    const entries = entriesOf(folder, onUnread);
    const names = new Set(entries.map(({ name }) => name));
    for (const entry of entries) {
      const inner = join(folder, entry.name);
      if (entry.isDirectory() && depth < MAX_DEPTH && !SKIPPED_FOLDERS.test(entry.name)) {
        if (folders.length < MAX_FOLDERS) folders.push([inner, depth + 1]);
        else
          onUnread(
            inner,
            `It was not searched, because there are more than ${MAX_FOLDERS} folders. Name it as a path.`,
          );
      }
      // npm ignores package-lock.json if the same folder has npm-shrinkwrap.json.
      const isIgnored = entry.name === 'package-lock.json' && names.has('npm-shrinkwrap.json');
      // Package managers follow links, so a linked lock file must not be skipped.
      const isFile = entry.isFile() || entry.isSymbolicLink();
      if (isFile && readerOf(entry.name) && !isIgnored) found.push(inner);
    }
  }
  if (found.length === 0) throw new PathError(unknownFile(`In ${path} there`));
  return found;
}

function entriesOf(folder: string, onUnread: (folder: string, message: string) => void): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((one, other) =>
      one.name < other.name ? -1 : 1,
    );
  } catch (error) {
    onUnread(folder, problemOf(error));
    return [];
  }
}

/** Chooses a reader by the content of a file whose name is not known, such as `settings.json`. */
function sniffedReader(path: string, text: string): Reader | undefined {
  if (/\.(txt|in)$/.test(path)) return readRequirements;
  if (!/\.json$/.test(path)) return undefined;
  const root = objectOf(parseJsonSource(text).value);
  if (root.lockfileVersion !== undefined) return readNpmLock;
  return root.mcpServers || root.servers || root.mcp || root.projects ? readMcpSettings : undefined;
}

/** Finds the git checkout that contains a folder, and reads the checkout's configuration as text. */
function checkoutOf(folder: string): Checkout | null {
  for (const above of foldersAbove(folder)) {
    const pointer = optionalText(join(above, '.git'));
    // In a work tree or submodule, `.git` is a file that contains the path of the actual git folder.
    const own =
      pointer === undefined
        ? join(above, '.git')
        : resolve(above, /^gitdir: (.+)/.exec(pointer)?.[1]?.trim() ?? '.git');
    const common = optionalText(join(own, 'commondir'))?.trim();
    const config = optionalText(join(common === undefined ? own : resolve(own, common), 'config'));
    if (config !== undefined) return { config, path: relative(above, folder).split(sep).join('/') };
  }
  return null;
}
