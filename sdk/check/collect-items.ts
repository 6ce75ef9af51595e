import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { parse } from 'yaml';
import type { CheckItem, FileItems, Registries, SourceFile } from './item.ts';
import { JsonSourceError, objectOf, parseJsonSource } from './json-source.ts';
import { readMcpSettings } from './mcp-settings.ts';
import { readNpmLock } from './npm-lock.ts';
import { readPnpmLock } from './pnpm-lock.ts';
import { readPoetryLock, readUvLock, TomlSourceError } from './python-lock.ts';
import { readRegistries } from './registries.ts';
import { includedFiles, readRequirements, requirementIndexes } from './requirements.ts';
import { type Checkout, readSkill } from './skill-folder.ts';
import { YamlSourceError } from './yaml-source.ts';
import { readYarnLock } from './yarn-lock.ts';

/** Items that were found in files and folders. */
export interface Collected {
  readonly items: readonly CheckItem[];
  /** Files that were read, as paths from the working directory. */
  readonly files: readonly string[];
  /** Number of the project's own packages, which are not checked. */
  readonly local: number;
  /** Files that can't be read, with the reason. */
  readonly problems: readonly { readonly file: string; readonly message: string }[];
}

/** Environment in which the files are read: folders, variables and mirrors. */
export interface Surroundings {
  /** Working directory, to which the paths of results are relative. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Home directory, for settings of package managers. */
  readonly home: string;
  /** Hosts that mirror public registries. */
  readonly mirrors: readonly string[];
}

/** Thrown for a path that does not exist, or that contains no file of a known format. */
export class PathError extends Error {}

/** Limits of the search: depth of folders, number of folders, and size of a file. */
const MAX_DEPTH = 6;
const MAX_FOLDERS = 20_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Folders that are not searched: installed packages and build results. */
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
  [/^requirements.*\.txt$/, readRequirements],
  [/^(\.?mcp|claude_desktop_config|mcp_config|cline_mcp_settings)\.json$/, readMcpSettings],
  [/^SKILL\.md$/, (source) => readSkill(source, checkoutOf(dirname(source.path)))],
];

const readerOf = (path: string) => READERS.find(([name]) => name.test(basename(path)))?.[1];

/**
 * Reads all known files at the paths, and the files that requirements files include. Searches folders to a depth of 6,
 * skips installed packages, and does not follow links. An included file must be within the working directory or one of
 * the paths. Otherwise an untrusted file could include any file of this machine, whose lines would then be sent.
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
  const waiting = named.flatMap((path) => filesAt(path, onUnread));
  const given = new Set(waiting);
  const roots = [around.folder, ...named].map((path) => realpathSync(path));
  for (const path of waiting) {
    if (seen.has(path)) continue;
    seen.add(path);
    const shown = shownPath(path);
    try {
      if (!given.has(path) && !isWithin(roots, path)) {
        problems.push({ file: shown, message: OUTSIDE });
        continue;
      }
      const text = readText(path);
      const read = readerOf(path) ?? sniffedReader(path, text);
      if (!read) throw new PathError(unknownFile(shown));
      const found = read({ path, text, registries: registriesFor(path, text, around) });
      items.push(...found.items.map((item) => ({ ...item, file: shown })));
      local += found.local;
      waiting.push(...(found.includes ?? []).map((include) => resolve(dirname(path), include)));
    } catch (error) {
      if (error instanceof PathError) throw error;
      problems.push({ file: shown, message: problemOf(error) });
    }
  }
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

function readText(path: string): string {
  const stats = statSync(path);
  // Reading a device or a pipe might never end.
  if (!stats.isFile()) throw new RangeError('it is no regular file');
  const { size } = stats;
  if (size > MAX_BYTES) throw new RangeError(`it has more than ${MAX_BYTES / 1024 / 1024} MiB`);
  const text = readFileSync(path, 'utf8');
  // pip reads UTF-16. In UTF-8, no format has this character.
  if (text.includes('\0')) throw new RangeError('it is no text in UTF-8');
  return text;
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
      if (entry.isFile() && readerOf(entry.name) && !isIgnored) found.push(inner);
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

/**
 * Determines the registries of a file's packages. Reads settings of the file's folder and its parents, settings of the
 * user, and the environment.
 */
function registriesFor(path: string, text: string, { environment, home, mirrors }: Surroundings): Registries {
  const folders = foldersAbove(dirname(path));
  const read = (paths: readonly string[]) => paths.flatMap((each) => optionalText(each) ?? []);
  const isRequirements = readerOf(path) === readRequirements || /\.(txt|in)$/.test(path);
  const registries = readRegistries({
    npmrc: read([
      ...folders.map((folder) => join(folder, '.npmrc')),
      environment.NPM_CONFIG_USERCONFIG ?? environment.npm_config_userconfig ?? join(home, '.npmrc'),
      environment.NPM_CONFIG_GLOBALCONFIG ?? environment.npm_config_globalconfig ?? globalNpmrc(environment),
    ]),
    yarnrc: read([...folders, home].map((folder) => join(folder, '.yarnrc.yml'))).map(parsedYaml),
    pip: read(pipFiles(environment, home)),
    environment,
    mirrors,
  });
  return isRequirements
    ? { ...registries, pythonIndexes: [...registries.pythonIndexes, ...includedIndexes(path, text)] }
    : registries;
}

/** Returns the path of npm's global settings, which is next to the installation of Node. */
const globalNpmrc = ({ PREFIX }: Surroundings['environment']) =>
  join(PREFIX || dirname(dirname(process.execPath)), 'etc', 'npmrc');

/**
 * Returns the paths of pip's settings on Linux, macOS and Windows: for all users, for the user, and for the virtual
 * environment.
 */
function pipFiles(environment: Surroundings['environment'], home: string): string[] {
  const { PIP_CONFIG_FILE, XDG_CONFIG_HOME, XDG_CONFIG_DIRS, VIRTUAL_ENV, APPDATA, PROGRAMDATA } =
    environment;
  const folders = [
    XDG_CONFIG_HOME || join(home, '.config'),
    ...(XDG_CONFIG_DIRS || '/etc/xdg').split(':'),
    '/Library/Application Support',
    join(home, 'Library', 'Application Support'),
    ...[APPDATA, PROGRAMDATA].filter((each) => each !== undefined),
  ].map((folder) => join(folder, 'pip'));
  const all = [
    ...folders,
    join(home, '.pip'),
    join(home, 'pip'),
    '/etc',
    ...(VIRTUAL_ENV ? [VIRTUAL_ENV] : []),
  ];
  const files = all.flatMap((folder) => [join(folder, 'pip.conf'), join(folder, 'pip.ini')]);
  return PIP_CONFIG_FILE ? [PIP_CONFIG_FILE, ...files] : files;
}

/**
 * Returns the indexes that apply to a requirements file: its own, those of files that it includes, and those of other
 * requirements files in its folder, because they may include it.
 */
function includedIndexes(path: string, text: string): string[] {
  // If the folder cannot be listed, its other files are ignored.
  const beside = entriesOf(dirname(path), () => undefined).filter(
    (entry) => entry.isFile() && readerOf(entry.name) === readRequirements,
  );
  const texts = [text, ...beside.flatMap(({ name }) => optionalText(join(dirname(path), name)) ?? [])];
  const seen = new Set([path]);
  const waiting = [{ path, text }];
  for (const each of waiting) {
    for (const name of includedFiles(each.text)) {
      const file = resolve(dirname(each.path), name);
      const more = seen.has(file) ? undefined : optionalText(file);
      seen.add(file);
      if (more === undefined) continue;
      texts.push(more);
      waiting.push({ path: file, text: more });
    }
  }
  return texts.flatMap(requirementIndexes);
}

function optionalText(path: string): string | undefined {
  try {
    return readText(path);
  } catch {
    return undefined;
  }
}

function parsedYaml(text: string): unknown {
  try {
    return parse(text, { logLevel: 'silent' });
  } catch {
    return null;
  }
}

function foldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
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
