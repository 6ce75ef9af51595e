import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyFileOf, openSigningKeys, signingKeyWarning } from './open-signing-keys.ts';
import {
  announceKey,
  changeKeyFile,
  createKeyFile,
  KEPT_AFTER_RETIREMENT_MS,
  readKeyFile,
  rotateKeys,
} from './signing-key-file.ts';
import { createKey, type KeptJwk, SigningKeyError } from './signing-keys.ts';

const NOW = new Date('2026-11-20T09:00:00Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);
const idsOf = (keys: readonly KeptJwk[] | null) => keys?.map(({ kid }) => kid);

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trust-directory-keys-'));
  path = join(folder, 'below', 'signing-key.json');
});
afterEach(() => rm(folder, { recursive: true }));

describe('the first key', () => {
  it('is in a file that only its owner may read', async () => {
    const keys = await createKeyFile(path);

    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readKeyFile(path)).toEqual(keys);
    expect(await readdir(join(folder, 'below'))).toEqual(['signing-key.json']);
  });

  it('is one, however many processes create it at once', async () => {
    const created = await Promise.all(Array.from({ length: 20 }, () => createKeyFile(path)));

    expect(new Set(created.map(([{ kid }]) => kid)).size).toBe(1);
    expect(idsOf(await readKeyFile(path))).toEqual(idsOf(created[0] ?? null));
    expect(await readdir(join(folder, 'below'))).toEqual(['signing-key.json']);
  });

  it('is kept by every later start', async () => {
    const settings = { signingKey: null, signingKeyFile: path, dataDir: folder };
    const first = await openSigningKeys(settings, true);

    expect(await openSigningKeys(settings, true)).toEqual(first);
    expect(await openSigningKeys(settings, false)).toEqual(first);
  });
});

describe('a server that may be one of several', () => {
  it('creates no key: without SIGNING_KEY_FILE it signs nothing', async () => {
    const settings = { signingKey: null, signingKeyFile: null, dataDir: folder };

    expect(await openSigningKeys(settings, false)).toBeNull();
    expect(await readdir(folder)).toEqual([]);
  });

  it('refuses to start without the file of SIGNING_KEY_FILE, and says what to do', async () => {
    const settings = { signingKey: null, signingKeyFile: path, dataDir: folder };

    await expect(openSigningKeys(settings, false)).rejects.toThrow(
      `There is no ${path} (SIGNING_KEY_FILE). With DATABASE_URL, a start creates no key, because several processes must share one. Create it once with: signing-key create`,
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it('uses SIGNING_KEY before any file', async () => {
    const key = createKey();
    await createKeyFile(path);

    const keys = await openSigningKeys(
      { signingKey: JSON.stringify(key), signingKeyFile: path, dataDir: folder },
      false,
    );

    expect(idsOf(keys)).toEqual([key.kid]);
  });

  it('reads the file in the data folder unless another is named', () => {
    const settings = { signingKey: null, signingKeyFile: null, dataDir: '/data' };

    expect(keyFileOf(settings)).toBe('/data/signing-key.json');
    expect(keyFileOf({ ...settings, signingKeyFile: '/keys/own.json' })).toBe('/keys/own.json');
  });
});

describe('a rotation', () => {
  it('makes a new key sign; the former verifies until all that it signed has expired', async () => {
    const [first] = await createKeyFile(path);

    const rotated = await changeKeyFile(path, (keys) => rotateKeys(keys, NOW));

    expect(await readKeyFile(path)).toEqual(rotated);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(rotated).toHaveLength(2);
    expect(rotated[0]?.kid).not.toBe(first.kid);
    expect(rotated[1]).toEqual({ ...first, retired_at: NOW.toISOString() });
    const nextBefore = rotateKeys(rotated, later(KEPT_AFTER_RETIREMENT_MS - 1));
    expect(idsOf(nextBefore)).toContain(first.kid);
    expect(idsOf(rotateKeys(nextBefore, later(KEPT_AFTER_RETIREMENT_MS)))).not.toContain(first.kid);
  });

  it('uses the key that was announced, so that every process knew it before it signed', () => {
    const first = createKey();

    const announced = announceKey([first], NOW);
    const again = announceKey(announced, later(1));
    const rotated = rotateKeys(again, later(2));

    expect(idsOf(announced)?.[0]).toBe(first.kid);
    expect(again).toEqual(announced);
    expect(idsOf(rotated)).toEqual([idsOf(announced)?.[1], first.kid]);
    expect(rotated[0]).not.toHaveProperty('announced_at');
  });

  it('waits for nobody: a second change at the same time is refused', async () => {
    await createKeyFile(path);
    await writeFile(`${path}.new`, '');

    const change = changeKeyFile(path, (keys) => rotateKeys(keys, NOW));

    await expect(change).rejects.toThrow(/another command changes the keys/);
  });
});

describe('the mode of the file', () => {
  it.each([
    [0o600, null, null],
    [0o640, null, null],
    [0o644, null, /every user of this machine may read the key .*chmod 600/],
    [0o606, /Every user of this machine may change .*chmod 600/, null],
    [0o602, /Every user of this machine may change .*chmod 600/, null],
  ])('%o is accepted, warned of or refused', async (mode, refusal, warning) => {
    const settings = { signingKey: null, signingKeyFile: path, dataDir: folder };
    await createKeyFile(path);
    await chmod(path, mode);

    const opened = await openSigningKeys(settings, false).catch((error) => error);

    if (refusal) {
      expect(opened).toBeInstanceOf(SigningKeyError);
      expect(opened.message).toMatch(refusal);
    } else expect(opened).toHaveLength(1);
    const said = await signingKeyWarning(settings, opened);
    if (warning) expect(said).toMatch(warning);
    else if (!refusal) expect(said).toBeNull();
    const inVariable = { ...settings, signingKey: '{}' };
    expect(await signingKeyWarning(inVariable, [createKey()])).toBeNull();
  });

  it('is that of the owner alone after a rotation', async () => {
    await createKeyFile(path);
    await chmod(path, 0o644);

    await changeKeyFile(path, (keys) => rotateKeys(keys, NOW));

    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });
});

describe('an unusable file', () => {
  it('is refused by its name, without its content', async () => {
    const file = join(folder, 'keys.json');
    await writeFile(file, `{"kty":"OKP","d":"c2VjcmV0"`);

    const failure = await readKeyFile(file).catch((error) => error);

    expect(failure).toBeInstanceOf(SigningKeyError);
    expect(failure.message).toContain(file);
    expect(failure.stack).not.toContain('c2VjcmV0');
    expect(await readFile(file, 'utf8')).toContain('c2VjcmV0');
    await expect(readKeyFile(folder)).rejects.toThrow(/cannot be read \(EISDIR\)/);
  });
});
