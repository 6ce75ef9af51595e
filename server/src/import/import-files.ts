import type { Database } from '../database/connect.ts';
import { noteLastRun, type RunOutcome } from '../database/note-last-run.ts';
import { countStandings } from '../registry/listings/keep-standings.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { ImportRun } from './import-run.ts';
import { openSources } from './import-source.ts';
import { type ImportSummary, summaryLines } from './import-summary.ts';
import { type ProgressOutput, ProgressReporter } from './progress-reporter.ts';
import { RejectsFile } from './rejects-file.ts';
import { scanFiles } from './scan-files.ts';

/** What a caller may choose. */
export interface ImportOptions {
  /** Where rejected lines are told; `./import-rejects.ndjson` by default. */
  rejectsPath?: string;
  /** Once it is given, the batch under way is finished and the import stops; the same call goes on later. */
  signal?: AbortSignal;
  /** Where progress and the summary are shown; standard error by default. */
  output?: ProgressOutput;
}

/**
 * Imports newline-delimited JSON of listings, creators, accounts, artifacts and relations: whatever the order of files and lines,
 * the same rows give the same registry, and a second run writes nothing. A line that can't be stored is told in the
 * rejects file with its reason and stops nothing. Throws ImportRefused for what its user can mend.
 */
export async function importFiles(
  database: Database,
  backend: ScoringBackend,
  paths: readonly string[],
  options: ImportOptions = {},
): Promise<ImportSummary> {
  return noteLastRun(database, 'import', (outcome) => runImport(database, backend, paths, options, outcome));
}

async function runImport(
  database: Database,
  backend: ScoringBackend,
  paths: readonly string[],
  options: ImportOptions,
  noted: RunOutcome,
): Promise<ImportSummary> {
  const startedAt = performance.now();
  const rejects = new RejectsFile(options.rejectsPath ?? './import-rejects.ndjson');
  const reporter = new ProgressReporter(options.output ?? process.stderr);
  const signal = options.signal ?? new AbortController().signal;
  try {
    const sources = await openSources(paths, rejects.path);
    const bytes = sources.reduce((sum, { size }) => sum + size, 0);
    reporter.begin('reading, bytes', bytes);
    const scan = await scanFiles(sources, rejects, (read) => reporter.advance(read));
    reporter.end();

    const run = await ImportRun.start({ database, backend, scan, rejects, reporter });
    const tell = () => {
      const { added, changed, unchanged } = run.outcome.kinds.listing;
      noted.listings = added + changed + unchanged;
    };
    const finished = await run.goOn(signal).finally(tell);
    // A new registry says from the start where each of its listings stands.
    if (finished) await countStandings(database);
    noted.finished = finished;

    const summary = { ...run.outcome, finished, seconds: (performance.now() - startedAt) / 1000 };
    for (const line of summaryLines(summary)) reporter.line(line);
    return summary;
  } finally {
    await rejects.close();
  }
}
