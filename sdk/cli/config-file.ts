import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './command.ts';
import { CommandError } from './command-error.ts';
import { EXIT } from './exit-code.ts';

/** What the config file may hold. */
interface StoredSettings {
  readonly apiKey?: string;
  readonly url?: string;
}

const MEMBERS = ['apiKey', 'url'];
const OTHERS_MAY = 0o077;

/** Where the config file lies: below XDG_CONFIG_HOME where that is an absolute path, else below ~/.config. */
export function configPath({ XDG_CONFIG_HOME, HOME }: Environment): string {
  const base = XDG_CONFIG_HOME?.startsWith('/') ? XDG_CONFIG_HOME : join(HOME || homedir(), '.config');
  return join(base, 'trust-directory', 'config.json');
}

/**
 * The settings in the config file; none where there is no file. Throws a CommandError for a file that others than its
 * owner can open, or that holds anything else. No message quotes the file.
 */
export async function readConfigFile(path: string): Promise<StoredSettings> {
  const text = await readOwn(path);
  if (text === null) return {};
  const settings = parse(text);
  const isFit = settings && Object.entries(settings).every(([name, value]) => isMember(name, value));
  if (!isFit) throw unusable(path, 'must be JSON with the texts "apiKey" and "url", each of them optional.');
  return settings;
}

/** The file's text. The mode that is checked is that of the open file, not of its path. Windows has no such modes. */
async function readOwn(path: string): Promise<string | null> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw unusable(path, `can't be read (${error.code}).`);
  });
  if (!file) return null;
  try {
    const { mode } = await file.stat();
    if (process.platform !== 'win32' && (mode & OTHERS_MAY) !== 0) {
      const shown = (mode & 0o777).toString(8);
      throw unusable(path, `is open to others (mode ${shown}). Close it with: chmod 600 '${path}'`);
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
