import { mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { restoreLibraryLinks } from './postgres-programs.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trust-directory-links-'));
  await mkdir(join(folder, 'native/lib'), { recursive: true });
  await writeFile(join(folder, 'native/lib/libpq.so.5.18'), 'library');
  await writeFile(
    join(folder, 'native/pg-symlinks.json'),
    JSON.stringify([
      { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' },
      { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so' },
    ]),
  );
});

afterEach(() => rm(folder, { recursive: true }));

it('makes the links that an install without scripts left out, relative so that the folder may move', async () => {
  await restoreLibraryLinks(folder);

  expect(await readlink(join(folder, 'native/lib/libpq.so.5'))).toBe('libpq.so.5.18');
  expect(await readFile(join(folder, 'native/lib/libpq.so'), 'utf8')).toBe('library');
});

it('may be repeated, also by several processes at once', async () => {
  await Promise.all([restoreLibraryLinks(folder), restoreLibraryLinks(folder), restoreLibraryLinks(folder)]);
  await restoreLibraryLinks(folder);

  expect(await readFile(join(folder, 'native/lib/libpq.so.5'), 'utf8')).toBe('library');
});

it('says what to do when a link cannot be made', async () => {
  await writeFile(
    join(folder, 'native/pg-symlinks.json'),
    JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/missing/libpq.so.5' }]),
  );

  await expect(restoreLibraryLinks(folder)).rejects.toThrow(/npm rebuild.*set DATABASE_URL/);
});

it('does nothing on a platform whose package lists no links', async () => {
  await rm(join(folder, 'native/pg-symlinks.json'));

  await expect(restoreLibraryLinks(folder)).resolves.toBeUndefined();
});
