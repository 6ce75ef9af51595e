import { readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { parse } from 'yaml';
import type { Registries } from './item.ts';
import { objectOf } from './json-source.ts';
import { foldersAbove, optionalText } from './read-text.ts';
import { readRegistries } from './registries.ts';
import { includedFiles, requirementIndexes } from './requirements.ts';

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

/** Matches the names of requirements files. */
export const REQUIREMENTS_FILE = /^requirements.*\.txt$/;

/**
 * Determines the registries of a file's packages. Reads settings of the file's folder and its parents, settings of the
 * user, and the environment. `requirements` is the text of a requirements file, which may name indexes itself; null for
 * a file of any other kind.
 */
export function findRegistries(
  path: string,
  requirements: string | null,
  { environment, home, mirrors }: Surroundings,
): Registries {
  const folders = foldersAbove(dirname(path));
  const read = (paths: readonly string[]) => paths.flatMap((each) => optionalText(each) ?? []);
  const registries = readRegistries({
    npmrc: read([
      ...folders.map((folder) => join(folder, '.npmrc')),
      environment.NPM_CONFIG_USERCONFIG ?? environment.npm_config_userconfig ?? join(home, '.npmrc'),
      environment.NPM_CONFIG_GLOBALCONFIG ?? environment.npm_config_globalconfig ?? globalNpmrc(environment),
    ]),
    classic: read([...folders, home].map((folder) => join(folder, '.yarnrc'))),
    yarnrc: read([...folders, home].map((folder) => join(folder, '.yarnrc.yml'))).map(parsedYaml),
    pnpm: read([
      ...folders.map((folder) => join(folder, 'pnpm-workspace.yaml')),
      ...settingsFolders(environment, home).map((folder) => join(folder, 'pnpm', 'config.yaml')),
    ]).map(parsedYaml),
    pip: read(pipFiles(environment, home)),
    uv: [
      ...read([...folders.map((folder) => join(folder, 'uv.toml')), ...uvFiles(environment, home)]).map(
        parsedToml,
      ),
      ...read(folders.map((folder) => join(folder, 'pyproject.toml'))).map(
        (text) => objectOf(objectOf(parsedToml(text)).tool).uv,
      ),
    ],
    environment,
    mirrors,
  });
  return requirements === null
    ? registries
    : { ...registries, pythonIndexes: [...registries.pythonIndexes, ...includedIndexes(path, requirements)] };
}

/** Returns the path of npm's global settings: `etc/npmrc` below PREFIX or, without it, the installation of Node. */
const globalNpmrc = ({ PREFIX }: Surroundings['environment']) =>
  join(PREFIX || dirname(dirname(process.execPath)), 'etc', 'npmrc');

/** Returns the folders of settings on Linux, macOS and Windows, for the user and for all users. */
function settingsFolders(
  { XDG_CONFIG_HOME, XDG_CONFIG_DIRS, APPDATA, PROGRAMDATA }: Surroundings['environment'],
  home: string,
): string[] {
  return [
    XDG_CONFIG_HOME || join(home, '.config'),
    ...(XDG_CONFIG_DIRS || '/etc/xdg').split(':'),
    '/Library/Application Support',
    join(home, 'Library', 'Application Support'),
    ...[APPDATA, PROGRAMDATA].filter((each) => each !== undefined),
  ];
}

/** Returns the paths of pip's settings: for all users, for the user, and for the virtual environment. */
function pipFiles(environment: Surroundings['environment'], home: string): string[] {
  const { PIP_CONFIG_FILE, VIRTUAL_ENV } = environment;
  const all = [
    ...settingsFolders(environment, home).map((folder) => join(folder, 'pip')),
    join(home, '.pip'),
    join(home, 'pip'),
    '/etc',
    ...(VIRTUAL_ENV ? [VIRTUAL_ENV] : []),
  ];
  const files = all.flatMap((folder) => [join(folder, 'pip.conf'), join(folder, 'pip.ini')]);
  return PIP_CONFIG_FILE ? [PIP_CONFIG_FILE, ...files] : files;
}

/** Returns the paths of uv's settings, apart from those of projects. */
function uvFiles(environment: Surroundings['environment'], home: string): string[] {
  const { UV_CONFIG_FILE } = environment;
  const folders = [...settingsFolders(environment, home), '/etc'];
  const files = folders.map((folder) => join(folder, 'uv', 'uv.toml'));
  return UV_CONFIG_FILE ? [UV_CONFIG_FILE, ...files] : files;
}

/**
 * Returns the package indexes that apply to a requirements file. These are its own indexes and those of the files that
 * it includes. Other requirements files in its folder may include this file, so their indexes apply, too.
 */
function includedIndexes(path: string, text: string): string[] {
  // If the folder cannot be listed, its other files are ignored.
  const beside = namesIn(dirname(path)).filter((name) => REQUIREMENTS_FILE.test(name));
  const texts = [text, ...beside.flatMap((name) => optionalText(join(dirname(path), name)) ?? [])];
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

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function parsedToml(text: string): unknown {
  try {
    return parseToml(text);
  } catch {
    return null;
  }
}

function parsedYaml(text: string): unknown {
  try {
    return parse(text, { logLevel: 'silent' });
  } catch {
    return null;
  }
}
