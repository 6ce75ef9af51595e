import type { Connection } from '../database/connect.ts';
import { emptyCounts, type ImportCounts } from './import-counts.ts';
import { ImportRefused } from './import-refused.ts';
import type { Stage } from './import-stages.ts';
import type { Place } from './read-lines.ts';

/** The place from which an interrupted import goes on. */
export interface ImportProgress {
  /** 0 as long as nothing is saved. */
  step: number;
  stage: Stage;
  /** Which of the files, in their order. */
  fileIndex: number;
  place: Place;
  /** Everything counted up to this place, the lines that the first look settled included. */
  counts: ImportCounts;
  rejectsPath: string;
  rejectsBytes: number;
}

/** Where an earlier import of the same files stopped, or null. */
export async function loadProgress(
  { models, transaction }: Connection,
  filesHash: string,
): Promise<ImportProgress | null> {
  const row = await models.ImportProgress.findOne({ where: { filesHash }, transaction });
  if (!row) return null;
  const { step, fileIndex, line, byteOffset, rejectsPath, rejectsBytes } = row;
  const stage = row.stage as Stage;
  const stored = row.counts as unknown as ImportCounts;
  // An earlier release counted fewer kinds of row.
  const counts = { ...stored, kinds: { ...emptyCounts().kinds, ...stored.kinds } };
  return { step, stage, fileIndex, place: { line, byteOffset }, counts, rejectsPath, rejectsBytes };
}

/**
 * Saves how far the import has come, in the transaction of the batch that came so far. Throws where another process has
 * gone on with the same import.
 */
export async function saveProgress(
  connection: Connection,
  filesHash: string,
  progress: ImportProgress,
): Promise<void> {
  const { step, stage, fileIndex, place, counts, rejectsPath, rejectsBytes } = progress;
  const saved = await connection.query<{ step: number }>(
    `INSERT INTO import_progress AS p (files_hash, step, stage, file_index, line, byte_offset, counts, rejects_path, rejects_bytes)
     SELECT $1, $2::bigint + 1, $3, $4::int, $5::bigint, $6::bigint, $7::jsonb, $8, $9::bigint
     WHERE $2::bigint = 0 OR EXISTS (SELECT FROM import_progress WHERE files_hash = $1)
     ON CONFLICT (files_hash) DO UPDATE SET step = excluded.step, stage = excluded.stage,
       file_index = excluded.file_index, line = excluded.line, byte_offset = excluded.byte_offset,
       counts = excluded.counts, rejects_path = excluded.rejects_path, rejects_bytes = excluded.rejects_bytes,
       updated_at = ledger_now()
     WHERE p.step = $2::bigint RETURNING step`,
    [
      filesHash,
      step,
      stage,
      fileIndex,
      place.line,
      place.byteOffset,
      JSON.stringify(counts),
      rejectsPath,
      rejectsBytes,
    ],
  );
  if (saved.length === 0) throw new ImportRefused('another process is importing the same files');
}

/** The import is complete, or starts again from the beginning. */
export async function forgetProgress({ models, transaction }: Connection, filesHash: string): Promise<void> {
  await models.ImportProgress.destroy({ where: { filesHash }, transaction });
}
