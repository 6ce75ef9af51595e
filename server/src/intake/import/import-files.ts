import { computeScoreDistributions } from '../../catalog/listings/refresh-score-distributions.ts';
import type { Database } from '../../platform/database/connect.ts';
import { type RunOutcome, recordJobRun } from '../../platform/jobs/background-job.ts';
import { packageFile } from '../../platform/package-files.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import { ImportRun } from './import-run.ts';
import { type ImportSummary, readingLines, summaryLines } from './import-summary.ts';
import { type ProgressOutput, ProgressReporter } from './progress-reporter.ts';
import { DEFAULT_REJECTS_PATH, RejectsFile } from './rejects-file.ts';
import { scanFiles } from './scan-files.ts';
import { openSourceFiles } from './source-files.ts';

export interface ImportOptions {
  /** Path of the rejects file; `./import-rejects.ndjson` by default. */
  rejectsPath?: string;
  /** Signal that stops the import after the current batch; the same call resumes later. */
  signal?: AbortSignal;
  /** Output for progress and summary; standard error by default. */
  output?: ProgressOutput;
  /** Time at which the files were read from their sources, for facts that state no time of their own. */
  readAt?: Date;
}

/**
 * Imports newline-delimited JSON with rows of all kinds of `ROW_KINDS`, such as listings and entries of the MCP
 * registry. The same rows give the same stored data in any order of files and lines, and importing them again does not
 * change these data. Lines that cannot be stored go to the rejects file with a reason; the others are imported. Throws
 * ImportRefused for problems that the user can fix.
 */
export async function importFiles(
  database: Database,
  backend: ScoringBackend,
  paths: readonly string[],
  options: ImportOptions = {},
): Promise<ImportSummary> {
  return recordJobRun(database, 'import', (outcome) => runImport(database, backend, paths, options, outcome));
}

async function runImport(
  database: Database,
  backend: ScoringBackend,
  paths: readonly string[],
  options: ImportOptions,
  runOutcome: RunOutcome,
): Promise<ImportSummary> {
  const startedAt = performance.now();
  const rejects = new RejectsFile(options.rejectsPath ?? DEFAULT_REJECTS_PATH);
  const reporter = new ProgressReporter(options.output ?? process.stderr);
  const signal = options.signal ?? new AbortController().signal;
  try {
    const sources = await openSourceFiles(paths, rejects.path);
    const bytes = sources.reduce((sum, { size }) => sum + size, 0);
    reporter.begin('reading, bytes', bytes);
    const scan = await scanFiles(sources, rejects, (read) => reporter.advance(read));
    reporter.end();

    const run = await ImportRun.start({
      database,
      backend,
      scan,
      rejects,
      reporter,
      readAt: options.readAt ?? null,
    });
    const recordListings = () => {
      const { added, changed, unchanged } = run.outcome.kinds.listing;
      runOutcome.listings = added + changed + unchanged;
    };
    const finished = await run.resume(signal).finally(recordListings);
    // Computes the score distributions, so that pages of a new directory can compare each score with the others at
    // once.
    if (finished) await computeScoreDistributions(database);
    runOutcome.finished = finished;

    const summary = { ...run.outcome, finished, seconds: (performance.now() - startedAt) / 1000 };
    for (const line of [...summaryLines(summary), ...readingLines(summary, options.readAt)])
      reporter.line(line);
    return summary;
  } finally {
    await rejects.close();
  }
}

/** Returns the paths of the bundled sample: real listings, whose sources are in its README, and example accounts. */
export function sampleFiles(): string[] {
  return ['listings', 'creators', 'artifacts', 'relations', 'accounts', 'servers'].map((name) =>
    packageFile(`sample/${name}.ndjson`),
  );
}
