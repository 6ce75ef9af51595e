import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './command.ts';
import { CommandError, EXIT } from './exit-code.ts';

/** Content of the config file. */
interface StoredSettings {
  readonly apiKey?: string;
  readonly url?: string;
}

const MEMBERS = ['apiKey', 'url'];
const GROUP_AND_OTHERS = 0o077;

/**
 * Returns the path of the config file, below XDG_CONFIG_HOME if that is an absolute path, otherwise below ~/.config.
 */
export function configPath({ XDG_CONFIG_HOME, HOME }: Environment): string {
  const base = XDG_CONFIG_HOME?.startsWith('/') ? XDG_CONFIG_HOME : join(HOME || homedir(), '.config');
  return join(base, 'trust-directory', 'config.json');
}

/**
 * Reads the config file; returns no settings without a file. Throws a CommandError if other users have any access to
 * the file or its content is invalid. Messages never quote the file, which contains the key.
 */
export async function readConfigFile(path: string): Promise<StoredSettings> {
  const text = await readOwn(path);
  if (text === null) return {};
  const settings = parse(text);
  const isFit = settings && Object.entries(settings).every(([name, value]) => isMember(name, value));
  if (!isFit) throw unusable(path, 'must be a JSON object with the optional strings "apiKey" and "url".');
  return settings;
}

/**
 * Reads the file; null if it is missing. Checks the mode of the open file, not of the path, which could change. Windows
 * has no such modes.
 */
async function readOwn(path: string): Promise<string | null> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw unusable(path, `can't be read (${error.code}).`);
  });
  if (!file) return null;
  try {
    const { mode } = await file.stat();
    if (process.platform !== 'win32' && (mode & GROUP_AND_OTHERS) !== 0) {
      const shown = (mode & 0o777).toString(8);
      throw unusable(
        path,
        `is accessible to other users (mode ${shown}). Restrict it with: chmod 600 '${path}'`,
      );
    }
    return await file.readFile('utf8').catch((error: NodeJS.ErrnoException) => {
      throw unusable(path, `can't be read (${error.code}).`);
    });
  } finally {
    await file.close();
  }
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const isMember = (name: string, value: unknown) => MEMBERS.includes(name) && typeof value === 'string';

function unusable(path: string, what: string): CommandError {
  return new CommandError(EXIT.usage, `The config file ${path} ${what}`);
}
