import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { artifact, creator } from '../../../testing/import/rows.ts';
import { readBatches } from './read-batches.ts';
import { FILE_START } from './read-lines.ts';
import type { ScannedFile } from './scan-files.ts';
import { LineStages } from './scan-files.ts';
import { ImportRefused } from './source-files.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'read-batches-'));
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
