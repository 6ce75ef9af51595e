import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PackedFile, zipOf } from '../../../testing/advisories/zip-file.ts';
import { expectEveryRow } from '../../../testing/every-row.ts';
import { type ArchivedFile, readArchive } from './zip-archive.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function read(archive: Buffer, maxBytes = 1_000): Promise<ArchivedFile[]> {
  const path = join(folder, 'all.zip');
  await writeFile(path, archive);
  const files: ArchivedFile[] = [];
  for await (const each of readArchive(path, (name) => name.endsWith('.json'), maxBytes)) files.push(each);
  return files;
}

const texts = (files: readonly ArchivedFile[]) =>
  files.map(({ name, content, problem }) => [name, content?.toString('utf8') ?? problem]);

const ONE: PackedFile = { name: 'npm/MAL-1.json', content: '{"id":"MAL-1"}' };
const TWO: PackedFile = { name: 'ümlaut.json', content: `{"text":"${'ä'.repeat(300)}"}`, method: 0 };

describe('readArchive', () => {
  it('reads deflated and stored files, and passes over others', async () => {
    const files = await read(zipOf([ONE, { name: 'README.md', content: 'no record' }, TWO]));

    expect(texts(files)).toEqual([
      [ONE.name, ONE.content],
      [TWO.name, TWO.content],
    ]);
  });

  it('reads the 64-bit fields of archives with many files, and skips a comment', async () => {
    const archive = zipOf([ONE, TWO], { isZip64: true, comment: 'PK\u0005\u0006 all of npm' });

    expect(texts(await read(archive))).toEqual([
      [ONE.name, ONE.content],
      [TWO.name, TWO.content],
    ]);
  });

  it('reads archives that are larger than one piece', async () => {
    const large = Array.from({ length: 40 }, (_, n) => ({
      name: `${n}.json`,
      content: `${n}`.repeat(100_000),
      method: 0,
    }));

    const files = await read(zipOf(large), 1_000_000);

    expect(files.map(({ content }) => content?.toString('utf8'))).toEqual(
      large.map(({ content }) => content),
    );
  });

  it('says why a file cannot be read, and reads the others', async () => {
    const rows: readonly [change: Partial<PackedFile>, problem: string][] = [
      [{ flags: 1 }, 'encrypted'],
      [{ method: 12 }, 'packed by the unknown method 12'],
      [{ content: 'x'.repeat(1_001) }, 'longer than 1000 bytes'],
      [{ checksum: 1 }, 'damaged: wrong checksum'],
      [{ offset: 3 }, 'not where the directory says'],
      [{ offset: 4_000_000 }, 'not where the directory says'],
    ];

    await expectEveryRow(
      rows,
      ([, problem]) => problem,
      async ([change, problem]) => {
        const files = await read(zipOf([{ ...ONE, ...change }, ONE]));

        expect(texts(files)).toEqual([
          [ONE.name, problem],
          [ONE.name, ONE.content],
        ]);
      },
    );
  });

  it('unpacks no more than the limit, whatever the directory says about the size', async () => {
    const archive = zipOf([{ name: 'bomb.json', content: '0'.repeat(5_000) }]);
    // The directory follows the only file, whose size it names at 24.
    archive.writeUInt32LE(10, archive.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24);

    expect(texts(await read(archive))).toEqual([['bomb.json', 'damaged: cannot be unpacked']]);
  });

  it('refuses an archive that is incomplete', async () => {
    const archive = zipOf([ONE, TWO]);

    await expect(read(archive.subarray(0, archive.length - 1))).rejects.toThrow(
      /can't be read as a ZIP archive: its end is missing. Download it again/,
    );
    await expect(read(archive.subarray(40))).rejects.toThrow(/its directory is incomplete/);
  });
});
