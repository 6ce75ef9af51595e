import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { artifact, creator } from '../../../testing/import/rows.ts';
import { FILE_START } from './read-lines.ts';
import { LineStages, readAhead, readBatches, type ScannedFile } from './scan-files.ts';
import { ImportRefused } from './source-files.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scan-files-'));
});
afterAll(() => rm(folder, { recursive: true }));

const LINES = ['no JSON', creator('one'), artifact('one/tool', 'part'), creator('two'), creator('three')].map(
  (row) => (typeof row === 'string' ? row : JSON.stringify(row)),
);

/** Writes a file with creators at these lines and scans it. */
async function scanned(creators: readonly number[]): Promise<ScannedFile> {
  const path = join(folder, 'rows.ndjson');
  await writeFile(path, LINES.join('\n'));
  const { size, mtimeMs: modifiedMs } = await stat(path);
  const stages = new LineStages();
  for (const line of creators) stages.set(line, 'creator');
  return { path, name: 'rows.ndjson', size, modifiedMs, stages } as ScannedFile;
}

it('makes batches of the lines of one stage, and does not parse the others', async () => {
  const batches = [];
  for await (const batch of readBatches(await scanned([2, 4, 5]), 'creator', FILE_START, () => 2))
    batches.push(batch);

  const kinds = batches.flatMap(({ rows }) => rows.map(({ kind }) => kind));
  expect(kinds).toEqual(['creator', 'creator', 'creator']);
  expect(batches.map(({ lines }) => lines.map(({ number }) => number))).toEqual([[2, 4], [5]]);
  expect(batches.map(({ next }) => next.line)).toEqual([5, 6]);
});

it('refuses a file whose line is no longer the one that was accepted', async () => {
  const batches = readBatches(await scanned([1]), 'creator', FILE_START, () => 2);

  await expect(batches.next()).rejects.toThrow(ImportRefused);
});

it('returns the stage of each line of a long file, and none for the other lines', () => {
  const stages = new LineStages();

  stages.set(1, 'listing');
  stages.set(3, 'repository_id');
  stages.set(100_000, 'relation');

  const told = [1, 2, 3, 100_000, 100_001, 300_000].map((line) =>
    (['repository_id', 'listing', 'relation'] as const).filter((stage) => stages.has(line, stage)),
  );
  expect(told).toEqual([['listing'], [], ['repository_id'], ['relation'], [], []]);
});

async function* counting(read: number[], last: number): AsyncGenerator<number> {
  try {
    for (let number = 1; number <= last; number += 1) {
      read.push(number);
      yield number;
    }
    throw new Error('no more');
  } finally {
    read.push(0);
  }
}

describe('reading ahead', () => {
  it('reads one item ahead while another is processed', async () => {
    const read: number[] = [];
    for await (const number of readAhead(counting(read, 9))) {
      await Promise.resolve();
      expect(read).toEqual(Array.from({ length: number + 1 }, (_, place) => place + 1));
      if (number === 3) break;
    }

    expect(read).toEqual([1, 2, 3, 4, 0]);
  });

  it('reports a failure after the items before it', async () => {
    const seen: number[] = [];
    const all = (async () => {
      for await (const number of readAhead(counting([], 2))) seen.push(number);
    })();

    await expect(all).rejects.toThrow('no more');
    expect(seen).toEqual([1, 2]);
  });
});
