import type { Connection } from '../../platform/database/connect.ts';
import { emptyCounts, type ImportCounts } from './import-summary.ts';
import type { FilePosition } from './read-lines.ts';
import { ImportRefused } from './source-files.ts';
import type { ParsedRow } from './validate-row.ts';

/**
 * Stages in order. Entries of the MCP registry and readings of package registries come first, so that packages can be
 * confirmed when listings are stored. Creators come before the listings that refer to them by name, and before the
 * social and messaging accounts that they own. Rows with an id of their host come before rows without one, because the
 * id decides which repository or account owns a name. The last stage scores subjects whose facts changed after they
 * were scored.
 */
export const IMPORT_STAGES = [
  'server',
  'packument',
  'project',
  'creator',
  'repository_id',
  'listing',
  'account_id',
  'account',
  'artifact',
  'relation',
  'scorecard',
  'agent_card',
  'skills_index',
  'score',
] as const;

type ImportStage = (typeof IMPORT_STAGES)[number];

/** A stage that stores rows. */
export type RowStage = Exclude<ImportStage, 'score'>;

/** Labels in the progress output. */
export const STAGE_LABELS: Readonly<Record<ImportStage, string>> = {
  server: 'entries of the MCP registry',
  packument: 'packages of npm',
  project: 'projects of PyPI',
  repository_id: 'listings with a repository id',
  listing: 'listings',
  creator: 'creators',
  account_id: 'accounts with an id of their platform',
  account: 'accounts',
  artifact: 'artifacts',
  relation: 'relations',
  scorecard: 'results of OpenSSF Scorecard',
  agent_card: 'agent cards',
  skills_index: 'indexes of skills',
  score: 'scores of changed facts',
};

/** Returns the stage that stores a row. */
export function stageOf(parsed: ParsedRow): RowStage {
  if (parsed.kind === 'account') return parsed.row.platformAccountId === null ? 'account' : 'account_id';
  if (parsed.kind !== 'listing') return parsed.kind;
  return parsed.row.hostRepositoryId === null ? 'listing' : 'repository_id';
}

/** Position at which an interrupted import resumes. */
export interface ImportProgress {
  /** Number of saves so far; 0 if nothing is saved. */
  step: number;
  stage: ImportStage;
  fileIndex: number;
  place: FilePosition;
  /** Counts of the scan of all lines, plus the outcomes of the rows before this position. */
  counts: ImportCounts;
  rejectsPath: string;
  rejectsBytes: number;
}

/** Loads the position at which an earlier import of the same files stopped; null if there is none. */
export async function loadProgress(
  { models, transaction }: Connection,
  filesHash: string,
): Promise<ImportProgress | null> {
  const row = await models.ImportProgress.findOne({ where: { filesHash }, transaction });
  if (!row) return null;
  const { step, fileIndex, line, byteOffset, rejectsPath, rejectsBytes } = row;
  const stage = row.stage as ImportStage;
  const stored = row.counts as unknown as ImportCounts;
  // An earlier release counted fewer kinds of row.
  const counts = { ...stored, kinds: { ...emptyCounts().kinds, ...stored.kinds } };
  return { step, stage, fileIndex, place: { line, byteOffset }, counts, rejectsPath, rejectsBytes };
}

/** Saves the progress in the transaction of its batch. Throws if another process has continued the same import. */
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
  if (saved.length === 0)
    throw new ImportRefused('another process is importing the same files: wait until it has finished');
}

/** Deletes the progress when the import is complete or restarts. */
export async function deleteProgress({ models, transaction }: Connection, filesHash: string): Promise<void> {
  await models.ImportProgress.destroy({ where: { filesHash }, transaction });
}
