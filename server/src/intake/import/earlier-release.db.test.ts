import { afterEach, beforeEach, expect, it } from 'vitest';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { creator, listing } from '../../../testing/import/rows.ts';
import { hashOfSources, openSourceFiles } from './source-files.ts';

let work: ImportWorkspace;

beforeEach(async () => {
  work = await createImportWorkspace();
});
afterEach(() => work.close());

it('restarts an import that an earlier release began with listings before creators, and deletes its progress', async () => {
  const file = await work.file([listing('acme/one'), creator('acme', { displayName: 'Acme' })]);
  const sources = await openSourceFiles([file], 'none');
  await work.database.query(
    `INSERT INTO import_progress (files_hash, step, stage, file_index, line, byte_offset, counts, rejects_path, rejects_bytes)
     VALUES ($1, 1, 'creator', 0, 3, 1000000, '{"kinds": {}, "reasons": {}}', 'none', 0)`,
    [hashOfSources(sources, [])],
  );

  const { resumed, kinds } = await work.run([file]);

  expect([resumed, kinds.listing.added, kinds.creator.added]).toEqual([false, 1, 1]);
  expect(await work.database.query('SELECT FROM import_progress')).toEqual([]);
});
