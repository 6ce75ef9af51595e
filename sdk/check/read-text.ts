import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Maximum size of a file. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Reads a file as text in UTF-8. Throws a RangeError if it is no regular file, has more than MAX_BYTES, or contains a
 * NUL character.
 */
export function readText(path: string): string {
  const stats = statSync(path);
  // Reading a device or a pipe might never end.
  if (!stats.isFile()) throw new RangeError('it is no regular file');
  const { size } = stats;
  if (size > MAX_BYTES) throw new RangeError(`it has more than ${MAX_BYTES / 1024 / 1024} MiB`);
  const text = readFileSync(path, 'utf8');
  // A NUL character means UTF-16, which pip can read; files in UTF-8 do not contain it.
  if (text.includes('\0')) throw new RangeError('it is no text in UTF-8');
  return text;
}

/** Reads a file as text; returns undefined if it can't be read. */
export function optionalText(path: string): string | undefined {
  try {
    return readText(path);
  } catch {
    return undefined;
  }
}

/** Returns a folder and all folders above it, nearest first. */
export function foldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}
