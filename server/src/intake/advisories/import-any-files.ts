import { stat } from 'node:fs/promises';
import type { Database } from '../../platform/database/connect.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import { type ImportOptions, importFiles } from '../import/import-files.ts';
import type { ImportSummary } from '../import/import-summary.ts';
import { ProgressReporter } from '../import/progress-reporter.ts';
import { DEFAULT_REJECTS_PATH, RejectsFile } from '../import/rejects-file.ts';
import { requireFolderOf } from '../import/source-files.ts';
import { type AdvisoryCounts, advisoryLines } from './advisory-counts.ts';
import { type AdvisoryExtent, importAdvisories } from './import-advisories.ts';
import { separateOsv } from './osv-sources.ts';

export interface AnyImportOptions extends ImportOptions {
  /** Says which files of advisories count as whole databases; `stated` by default. */
  extent?: AdvisoryExtent;
}

/** Result of an import; a part is null if no file was of its kind, or if the import was interrupted before it. */
interface AnyImportSummary {
  readonly rows: ImportSummary | null;
  readonly advisories: AdvisoryCounts | null;
  /** False if the import was interrupted; the same call continues it. */
  readonly finished: boolean;
}

/**
 * Imports files of any kind: rows of the directory, and records about advisories (OSV records, exposure catalogues and
 * disputes). The content of a file decides its kind; a folder must contain records about advisories. Rows are imported
 * first. Throws ImportRefused for problems that the user can fix.
 */
export async function importAnyFiles(
  database: Database,
  backend: ScoringBackend,
  paths: readonly string[],
  { extent = 'stated', ...options }: AnyImportOptions = {},
): Promise<AnyImportSummary> {
  const { osv, others } = await separateOsv(paths);
  const rows =
    osv.length === 0 || others.length > 0 ? await importFiles(database, backend, others, options) : null;
  if (osv.length === 0 || rows?.finished === false) {
    return { rows, advisories: null, finished: rows?.finished ?? true };
  }
  const rejectsPath = options.rejectsPath ?? DEFAULT_REJECTS_PATH;
  await requireFolderOf(rejectsPath);
  const rejects = new RejectsFile(rejectsPath);
  const reporter = new ProgressReporter(options.output ?? process.stderr);
  const signal = options.signal ?? new AbortController().signal;
  try {
    // Append to the file if the import of rows has just written rejected rows to it.
    if (rows?.rejectsPath) await rejects.resume((await stat(rows.rejectsPath)).size);
    else await rejects.begin();
    const advisories = await importAdvisories({
      database,
      sources: osv,
      extent,
      rejects,
      reporter,
      signal,
      readAt: options.readAt ?? null,
    });
    for (const line of advisoryLines(advisories)) reporter.line(line);
    if (advisories.rejected > 0) reporter.line(`Rejected records: see ${rejects.path}.`);
    return { rows, advisories, finished: advisories.finished };
  } finally {
    await rejects.close();
  }
}
