import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { memoryFolder } from '../../server/testing/memory-folder.ts';
import { collectItems } from './collect-items.ts';

/** One folder more than the maximum that `check` searches. */
const FOLDERS = 20_001;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(memoryFolder(), 'many-folders-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('says which folders it did not search, so that a check cannot pass without them', () => {
  writeFileSync(join(folder, 'requirements.txt'), 'requests==2.32.3\n');
  for (let count = 0; count < FOLDERS; count += 1) mkdirSync(join(folder, String(count).padStart(5, '0')));

  const { items, problems } = collectItems([folder], { folder, home: folder, environment: {}, mirrors: [] });

  expect(items.map(({ name }) => name)).toEqual(['pypi:requests']);
  expect(problems.map(({ file }) => file)).toEqual(['19999', '20000']);
  expect(problems[0]?.message).toContain('more than 20000 folders');
});

it('reads no UTF-16, in which pip would install what is not seen here', () => {
  writeFileSync(join(folder, 'requirements.txt'), Buffer.from('\uFEFFidna==3.10\n', 'utf16le'));
  writeFileSync(join(folder, 'yarn.lock'), Buffer.from('\uFEFFa@1:\n  version "1"\n', 'utf16le'));

  const { items, problems } = collectItems([folder], { folder, home: folder, environment: {}, mirrors: [] });

  expect(items).toEqual([]);
  expect(problems).toEqual([
    { file: 'requirements.txt', message: "It can't be read: it is no text in UTF-8." },
    { file: 'yarn.lock', message: "It can't be read: it is no text in UTF-8." },
  ]);
});
