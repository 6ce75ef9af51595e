import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';

/** Thrown when an import cannot start or continue for a reason that the user can fix; the message is for the user. */
export class ImportRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ImportRefused';
  }
}

/** An input file of an import, identified by its content. */
export interface SourceFile {
  readonly path: string;
  /** Name in rejects and messages. */
  readonly name: string;
  /** SHA-256 of the content. */
  readonly hash: string;
  readonly size: number;
  readonly modifiedMs: number;
}

/**
 * Checks and hashes the files of an import. Returns them in the order of their hashes, so that the order of the
 * arguments does not matter. A file named twice is returned once. Throws ImportRefused if no file is named or a path
 * cannot be used.
 */
export async function openSourceFiles(paths: readonly string[], rejectsPath: string): Promise<SourceFile[]> {
  if (paths.length === 0) throw new ImportRefused('no file to import: name at least one');
  const real = await Promise.all(paths.map(existingPath));
  await requireFolderOf(rejectsPath);
  const rejects = await realpath(rejectsPath).catch(() => rejectsPath);
  if (real.includes(rejects))
    throw new ImportRefused(
      `${rejectsPath} is both a file to import and the rejects file: choose another path with --rejects`,
    );
  const files: SourceFile[] = [];
  for (const path of new Set(real)) files.push(await openSource(path));
  return files.sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0));
}

/**
 * Checks the folder of the rejects file before the import starts. Otherwise a missing folder would only cause an error
 * at the first write, much later.
 */
export async function requireFolderOf(path: string): Promise<void> {
  const folder = dirname(resolve(path));
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory()) return;
  throw new ImportRefused(
    `${path} can't be written: the folder ${folder} does not exist. Create it, or choose another path with --rejects`,
  );
}

/**
 * Hashes the contents of the files, without their names, together with the stages. `files` must be in the order of
 * `openSourceFiles`. The stages are included because a saved position is valid only for them. Releases that stored
 * listings before creators did not hash stages; pass no stages to get their hash.
 */
export function hashOfSources(files: readonly SourceFile[], stages: readonly string[]): string {
  return createHash('sha256')
    .update([...stages, ...files.map(({ hash }) => hash)].join('\n'))
    .digest('hex');
}

/** Throws ImportRefused if a file has changed since it was scanned. */
export async function requireUnchangedSource(file: SourceFile): Promise<void> {
  const now = await stat(file.path).catch(() => null);
  if (now?.size !== file.size || now.mtimeMs !== file.modifiedMs) {
    throw sourceChangedError(file);
  }
}

/** Returns the error for a file that has changed since it was scanned. */
export function sourceChangedError({ name }: SourceFile): ImportRefused {
  return new ImportRefused(`${name} changed during the import: import it again`);
}

async function existingPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    throw unreadable(path, error as NodeJS.ErrnoException);
  }
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist: check the path',
  EACCES: 'this user has no permission to read it: change its mode (chmod), or run the import as its owner',
};

function unreadable(path: string, { code = '', message }: NodeJS.ErrnoException): ImportRefused {
  return new ImportRefused(`${path} can't be read: ${WHY[code] ?? message}`);
}

async function openSource(path: string): Promise<SourceFile> {
  const found = await stat(path);
  if (!found.isFile()) throw new ImportRefused(`${path} is not a file: name files of newline-delimited JSON`);
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  } catch (error) {
    throw unreadable(path, error as NodeJS.ErrnoException);
  }
  return {
    path,
    name: basename(path),
    hash: hash.digest('hex'),
    size: found.size,
    modifiedMs: found.mtimeMs,
  };
}
