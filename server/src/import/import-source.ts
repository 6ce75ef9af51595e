import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { ImportRefused } from './import-refused.ts';

/** One file of an import, told by its content. */
export interface SourceFile {
  readonly path: string;
  /** How rejects and messages call it. */
  readonly name: string;
  /** SHA-256 of its content. */
  readonly hash: string;
  readonly size: number;
  readonly modifiedMs: number;
}

/**
 * Opens the files of an import. They come in the order of their hashes, so that the order in which they were named does
 * not matter; a file that was named twice comes once.
 */
export async function openSources(paths: readonly string[], rejectsPath: string): Promise<SourceFile[]> {
  if (paths.length === 0) throw new ImportRefused('no file to import was named');
  const real = await Promise.all(paths.map(existingPath));
  await requireFolderOf(rejectsPath);
  const rejects = await realpath(rejectsPath).catch(() => rejectsPath);
  if (real.includes(rejects)) throw new ImportRefused(`${rejectsPath} can't be both imported and written to`);
  const files: SourceFile[] = [];
  for (const path of new Set(real)) files.push(await openSource(path));
  return files.sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0));
}

/** The rejects are written long after the beginning: a folder that is not there is told of before anything is done. */
async function requireFolderOf(path: string): Promise<void> {
  const folder = dirname(resolve(path));
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory()) return;
  throw new ImportRefused(
    `${path} can't be written: there is no folder ${folder}. Make it, or name another --rejects`,
  );
}

/**
 * One hash for the whole import, whatever the names and the order of its files. The same files in other stages are another
 * import, for a place in it says what was done before; without stages it is the hash by which releases knew it that had listings
 * before creators.
 */
export function hashOfSources(files: readonly SourceFile[], stages: readonly string[]): string {
  return createHash('sha256')
    .update([...stages, ...files.map(({ hash }) => hash)].join('\n'))
    .digest('hex');
}

/** Refuses to go on with a file that is no longer what was looked through at the beginning. */
export async function refuseChangedSource(file: SourceFile): Promise<void> {
  const now = await stat(file.path).catch(() => null);
  if (now?.size !== file.size || now.mtimeMs !== file.modifiedMs) {
    throw changedSource(file);
  }
}

/** The file is not what was looked through at the beginning. */
export function changedSource({ name }: SourceFile): ImportRefused {
  return new ImportRefused(`${name} was changed while it was being imported: import it again`);
}

async function existingPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    throw unreadable(path, error as NodeJS.ErrnoException);
  }
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file: name one that is there',
  EACCES: 'this user may not read it: let it be read (chmod), or run the import as its owner',
};

function unreadable(path: string, { code = '', message }: NodeJS.ErrnoException): ImportRefused {
  return new ImportRefused(`${path} can't be read: ${WHY[code] ?? message}`);
}

async function openSource(path: string): Promise<SourceFile> {
  const found = await stat(path);
  if (!found.isFile()) throw new ImportRefused(`${path} is no file: name files of newline-delimited JSON`);
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
