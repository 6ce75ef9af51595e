import { lstat, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RejectsFile } from './rejects-file.ts';
import { ImportRefused } from './source-files.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rejects-'));
  path = join(folder, 'rejects.ndjson');
});

afterEach(() => rm(folder, { recursive: true }));

const reject = (line: number) =>
  ({ file: 'a.ndjson', line, code: 'invalid', reason: 'ünfit', row: '{"n' }) as const;

async function lines(): Promise<number[]> {
  const text = await readFile(path, 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).line as number);
}

describe('RejectsFile', () => {
  it('contains the rejects of the scan, then those of the batches', async () => {
    const rejects = new RejectsFile(path);
    await rejects.addDraft(reject(1));
    await rejects.begin();
    const expected = rejects.bytesWith([reject(2), reject(3)]);
    await rejects.append([reject(2), reject(3)]);
    await rejects.close();

    expect(await lines()).toEqual([1, 2, 3]);
    expect(rejects.bytes).toBe(expected);
    expect((await readFile(path)).length).toBe(expected);
  });

  it('loses what was written after the last saved batch, and nothing before it', async () => {
    const interrupted = new RejectsFile(path);
    await interrupted.addDraft(reject(1));
    await interrupted.begin();
    const saved = interrupted.bytes;
    await interrupted.append([reject(2)]);
    await interrupted.close();

    const rejects = new RejectsFile(path);
    await rejects.addDraft(reject(1));
    expect(await rejects.resume(saved)).toBe(true);
    await rejects.append([reject(2), reject(3)]);
    await rejects.close();

    expect(await lines()).toEqual([1, 2, 3]);
  });

  it('refuses an existing folder, link or device', async () => {
    const file = join(folder, 'mine');
    await writeFile(file, '');
    await symlink(file, path);
    await mkdir(join(folder, 'made'));

    for (const taken of [path, join(folder, 'made')]) {
      const refusal = await new RejectsFile(taken).begin().catch((error: unknown) => error);

      expect(refusal).toBeInstanceOf(ImportRefused);
      expect(String(refusal)).toContain('is not a regular file: choose another path');
    }
    expect((await lstat(path)).isSymbolicLink()).toBe(true);
  });

  it('does not resume with a file that is shorter than it was', async () => {
    expect(await new RejectsFile(path).resume(1)).toBe(false);
    expect(await new RejectsFile(path).resume(0)).toBe(true);
  });

  it('does not exist after an import without rejects, even if an earlier one wrote it', async () => {
    const earlier = new RejectsFile(path);
    await earlier.addDraft(reject(1));
    await earlier.begin();
    await earlier.close();

    const rejects = new RejectsFile(path);
    await rejects.begin();
    await rejects.close();

    await expect(readFile(path)).rejects.toThrow('ENOENT');
  });

  it('refuses to overwrite a file with other content, and leaves it unchanged', async () => {
    await writeFile(path, '{"precious":true}\n');
    const rejects = new RejectsFile(path);
    await rejects.addDraft(reject(1));

    await expect(rejects.begin()).rejects.toThrow(ImportRefused);
    await rejects.close();

    expect(await readFile(path, 'utf8')).toBe('{"precious":true}\n');
    await expect(readFile(`${path}.part`)).rejects.toThrow('ENOENT');
  });
});
