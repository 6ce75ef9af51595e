import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createKey, type KeptJwk, type KeySet, parseKeySet, SigningKeyError } from './signing-keys.ts';

/** Mode of the file: only its owner may read or write it. */
const OWNER_ONLY = 0o600;

/** Time for which a retired key is kept. Its signatures expire within 7 days; the eighth day allows for clock skew. */
export const KEPT_AFTER_RETIREMENT_MS = 8 * 24 * 60 * 60 * 1000;

/** Bits of a file's mode that let all users of the machine write or read it. */
const OTHERS_MAY_WRITE = 0o002;
const OTHERS_MAY_READ = 0o004;

/**
 * Reads the keys of a file; null if there is no file. Throws a SigningKeyError if the file cannot be used, or if every
 * user of the machine may change it.
 */
export async function readKeyFile(path: string): Promise<KeySet | null> {
  try {
    const keys = parseKeySet(await readFile(path, 'utf8'), path);
    if (await allows(path, OTHERS_MAY_WRITE))
      throw new SigningKeyError(
        `Every user of this machine may change ${path}, and so sign scores. Check its keys, then run: chmod 600 ${path}`,
      );
    return keys;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (error instanceof SigningKeyError) throw error;
    throw new SigningKeyError(`${path} cannot be read (${code}).`);
  }
}

/** Returns a warning if every user of the machine may read the private key in a file; null otherwise. */
export async function keyFileWarning(path: string): Promise<string | null> {
  const isReadable = await allows(path, OTHERS_MAY_READ).catch(() => false);
  return isReadable
    ? `every user of this machine may read the key that signs scores: run "chmod 600 ${path}", and rotate the key if others use the machine`
    : null;
}

/** Returns true if the mode of a file has any of these bits. Windows has no such modes. */
async function allows(path: string, bits: number): Promise<boolean> {
  return process.platform !== 'win32' && ((await stat(path)).mode & bits) !== 0;
}

/**
 * Creates a file with a new key, readable by its owner only, and returns the keys of the file. If another process
 * creates the file first, returns the keys of that file. The file is created atomically: even after a crash, it is never
 * incomplete.
 */
export async function createKeyFile(path: string): Promise<KeySet> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeKeys(draft, [createKey()]);
    // Uses a hard link, because it fails if the file exists; a rename would replace the file.
    await link(draft, path);
    await syncFolder(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unwritable(path, error);
  } finally {
    await rm(draft, { force: true });
  }
  const keys = await readKeyFile(path);
  if (!keys) throw new SigningKeyError(`${path} was just removed.`);
  return keys;
}

/**
 * Changes the keys of a file and returns the new keys. Replaces the file atomically. Throws a SigningKeyError while
 * another process changes the file.
 */
export async function changeKeyFile(
  path: string,
  change: (keys: KeySet) => readonly KeptJwk[],
): Promise<readonly KeptJwk[]> {
  const draft = `${path}.new`;
  const file = await open(draft, 'wx', OWNER_ONLY).catch((error) => {
    if (error.code !== 'EEXIST') throw unwritable(path, error);
    throw new SigningKeyError(`${draft} exists: another command changes the keys. If none runs, remove it.`);
  });
  try {
    await file.close();
    const keys = await readKeyFile(path);
    if (!keys) throw new SigningKeyError(`There is no ${path}. Create it with: signing-key create`);
    const changed = change(keys);
    await writeKeys(draft, changed, 'w');
    await rename(draft, path);
    await syncFolder(path);
    return changed;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Announces a new key, which does not sign yet, so that every process can publish it first. Returns the keys unchanged
 * if one is already announced.
 */
export function announceKey(keys: readonly KeptJwk[], now: Date): readonly KeptJwk[] {
  if (keys.some(({ announced_at }) => announced_at !== undefined)) return keys;
  return [...keys, { ...createKey(), announced_at: now.toISOString() }];
}

/**
 * Makes the announced key the signing key; creates a key if none is announced. Former keys are kept to verify
 * signatures. Removes a former key when all of its signatures have expired.
 */
export function rotateKeys(keys: readonly KeptJwk[], now: Date): readonly KeptJwk[] {
  const announced = keys.find(({ announced_at }) => announced_at !== undefined);
  const { announced_at: _announcement, ...signing } = announced ?? createKey();
  const former = keys
    .filter((key) => key !== announced)
    .map((key) => (key.retired_at === undefined ? { ...key, retired_at: now.toISOString() } : key))
    .filter(({ retired_at = '' }) => Date.parse(retired_at) + KEPT_AFTER_RETIREMENT_MS > now.getTime());
  return [signing, ...former];
}

async function writeKeys(path: string, keys: readonly KeptJwk[], flag = 'wx'): Promise<void> {
  const file = await open(path, flag, OWNER_ONLY);
  try {
    await file.writeFile(`${JSON.stringify({ keys }, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Syncs the folder of a file to disk, because the folder stores the file's name. Without this, a crash could lose a new
 * key that has already signed scores.
 */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function unwritable(path: string, error: unknown): SigningKeyError {
  return new SigningKeyError(`${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
}
