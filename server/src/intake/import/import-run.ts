import { ConcurrentListingError } from '../../catalog/listing-changes/apply-rows.ts';
import type { RowOutcome } from '../../catalog/listings/listing-row.ts';
import { ImportedWords } from '../../catalog/listings/refresh-vocabulary.ts';
import { lockRegistry } from '../../catalog/registry-locks.ts';
import type { Database } from '../../platform/database/connect.ts';
import { withFreshPlan } from '../../platform/database/send-statement.ts';
import { retryConflicts } from '../../platform/database/transaction.ts';
import { BackendUnavailable } from '../../scoring/batches/score-batch.ts';
import { countQueuedSubjects, scoreQueuedSubjects } from '../../scoring/batches/score-queued-subjects.ts';
import { AdaptiveBatchSize } from '../../scoring/batches/score-subjects.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import {
  deleteProgress,
  IMPORT_STAGES,
  type ImportProgress,
  loadProgress,
  type RowStage,
  STAGE_LABELS,
  saveProgress,
} from './import-progress.queries.ts';
import type { ImportSummary } from './import-summary.ts';
import { countReject, type ImportCounts } from './import-summary.ts';
import { formatNumber, type ProgressReporter } from './progress-reporter.ts';
import { FILE_START } from './read-lines.ts';
import type { Reject, RejectsFile } from './rejects-file.ts';
import { type Batch, readAhead, readBatches, type Scan, type ScannedFile } from './scan-files.ts';
import { hashOfSources } from './source-files.ts';
import { ConcurrentScorer, inBatchTransaction, storeRows } from './store-rows.ts';

export interface ImportDependencies {
  database: Database;
  backend: ScoringBackend;
  scan: Scan;
  rejects: RejectsFile;
  reporter: ProgressReporter;
  /** Time at which the files were read from their sources, for facts that state no time; null if unknown. */
  readAt: Date | null;
}

/** Stages that the last release did not have; it had all others. */
const NEW_STAGES = ['agent_card', 'skills_index'];

/**
 * Stages of earlier releases, whose saved positions cannot be resumed. The first of these releases did not hash its
 * stages, so its list is empty.
 */
const EARLIER_STAGES = [
  [],
  IMPORT_STAGES.filter((stage) => !NEW_STAGES.includes(stage)),
  IMPORT_STAGES.filter((stage) => ![...NEW_STAGES, 'scorecard', 'packument', 'project'].includes(stage)),
  IMPORT_STAGES.filter(
    (stage) => ![...NEW_STAGES, 'scorecard', 'packument', 'project', 'server'].includes(stage),
  ),
] as const;

/**
 * Runs one import to the last batch. Starts with the first batch, or after an interruption with the first unsaved one.
 * Each batch is one transaction that also saves the next position and queues subjects for scoring. A batch without
 * changes saves nothing; after an interruption, it is only read again.
 */
export class ImportRun {
  readonly #parts: ImportDependencies;
  readonly #filesHash: string;
  readonly #resumed: boolean;
  readonly #scorer: ConcurrentScorer;
  readonly #words: ImportedWords | null;
  #progress: ImportProgress;
  #scored = 0;

  private constructor(parts: ImportDependencies, filesHash: string, earlier: ImportProgress | null) {
    this.#parts = parts;
    this.#filesHash = filesHash;
    this.#resumed = earlier !== null;
    this.#words = hasSessionForWords(parts.database)
      ? new ImportedWords((work) => inBatchTransaction(parts.database, work))
      : null;
    this.#scorer = new ConcurrentScorer(parts.database, parts.backend);
    this.#progress = earlier ?? initialProgress(parts);
  }

  /** Resumes an interrupted import of the same files with the same rejects file, or starts a new one. */
  static async start(parts: ImportDependencies): Promise<ImportRun> {
    const { database, rejects, reporter, scan } = parts;
    const filesHash = hashOfSources(scan.files, IMPORT_STAGES);
    // Deletes the position that an earlier release has saved for the same files, because its stages were different.
    // That import starts again; rows that are already stored stay unchanged.
    for (const stages of EARLIER_STAGES) await deleteProgress(database, hashOfSources(scan.files, stages));
    const earlier = await loadProgress(database, filesHash);
    if (
      earlier !== null &&
      earlier.rejectsPath === rejects.path &&
      (await rejects.resume(earlier.rejectsBytes))
    ) {
      const { name = '' } = scan.files[earlier.fileIndex] ?? {};
      const place = `${STAGE_LABELS[earlier.stage]}, line ${formatNumber(earlier.place.line)} of ${name}`;
      reporter.line(`Continuing an interrupted import of these files: ${place}.`);
      return new ImportRun(parts, filesHash, earlier);
    }
    await rejects.begin();
    if (earlier !== null) await deleteProgress(database, filesHash);
    return new ImportRun(parts, filesHash, null);
  }

  get outcome(): Omit<ImportSummary, 'finished' | 'seconds'> {
    const { rejects } = this.#parts;
    const rejectsPath = rejects.bytes > 0 ? rejects.path : null;
    const scored = this.#scorer.scored + this.#scored;
    return { ...this.#progress.counts, resumed: this.#resumed, scored, rejectsPath };
  }

  /** Imports the remaining rows; returns false if it was aborted before the end. */
  async resume(signal: AbortSignal): Promise<boolean> {
    for (const stage of IMPORT_STAGES.slice(IMPORT_STAGES.indexOf(this.#progress.stage))) {
      if (stage === 'score') await this.#scoreDue(signal);
      else await this.#storeRows(stage, signal);
      if (signal.aborted) return false;
    }
    if (this.#progress.step > 0) await deleteProgress(this.#parts.database, this.#filesHash);
    return true;
  }

  async #storeRows(stage: RowStage, signal: AbortSignal): Promise<void> {
    const { reporter, scan } = this.#parts;
    const rows = scan.files.reduce((sum, file) => sum + file.rows[stage], 0);
    if (rows === 0) return;
    reporter.begin(STAGE_LABELS[stage], rows);
    const isResumed = this.#progress.stage === stage;
    const first = isResumed ? this.#progress.fileIndex : 0;
    try {
      for (const [index, file] of scan.files.entries()) {
        if (index < first || file.rows[stage] === 0) continue;
        const from = isResumed && index === first ? this.#progress.place : FILE_START;
        this.#progress = { ...this.#progress, stage, fileIndex: index, place: from };
        await this.#storeFile(file, stage, signal);
        if (signal.aborted) break;
      }
    } finally {
      await this.#scorer.finish();
    }
    reporter.end();
  }

  async #storeFile(file: ScannedFile, stage: RowStage, signal: AbortSignal): Promise<void> {
    const size = new AdaptiveBatchSize();
    const batches = readBatches(file, stage, this.#progress.place, () => size.rows);
    for await (const batch of readAhead(batches)) {
      const startedAt = performance.now();
      await this.#storeBatch(file, batch);
      size.learn(batch.rows.length, performance.now() - startedAt);
      this.#parts.reporter.advance(batch.rows.length);
      if (signal.aborted) return;
    }
  }

  async #storeBatch(file: ScannedFile, batch: Batch): Promise<void> {
    const { database, rejects, scan, readAt } = this.#parts;
    const store = () =>
      inBatchTransaction(database, async (connection) => {
        await lockRegistry(connection);
        this.#words?.begin(connection);
        const { outcomes, saved } = await storeRows(connection, batch.rows, scan.renames, readAt);
        const rejected = rejectsOf(file, batch, outcomes);
        const counts = count(this.#progress.counts, batch, outcomes);
        const next = {
          ...this.#progress,
          place: batch.next,
          counts,
          rejectsBytes: rejects.bytesWith(rejected),
        };
        const wrote = outcomes.some((outcome) => outcome === 'added' || outcome === 'changed');
        if (wrote) await saveProgress(connection, this.#filesHash, next);
        await this.#words?.saved();
        return { next: wrote ? { ...next, step: next.step + 1 } : next, rejected, saved };
      });
    const stored = await retryConflicts(store, (error) => error instanceof ConcurrentListingError);
    this.#progress = stored.next;
    await rejects.append(stored.rejected);
    await this.#scorer.take(stored.saved);
  }

  async #scoreDue(signal: AbortSignal): Promise<void> {
    const { database, backend, reporter } = this.#parts;
    const progress = {
      begin: (subjects: number) => reporter.begin(STAGE_LABELS.score, subjects),
      advance: (subjects: number, scored: number) => {
        this.#scored += scored;
        reporter.advance(subjects);
      },
      end: () => reporter.end(),
    };
    try {
      await scoreQueuedSubjects(withFreshPlan(database), backend, signal, progress);
    } catch (error) {
      // The rows are stored, and their subjects stay queued for scoring.
      if (!(error instanceof BackendUnavailable)) throw error;
      reporter.line(error.message);
    }
    const waiting = await countQueuedSubjects(database);
    if (waiting > 0 && !signal.aborted) {
      reporter.line(`${formatNumber(waiting)} subjects have no score yet. Run the command recompute.`);
    }
  }
}

/**
 * Returns true if the pool has a third session, besides those of a batch and of the scoring. Otherwise a batch would wait
 * for a session that cannot become free, so it stores its words itself (`batch-transaction.db.test.ts`).
 */
function hasSessionForWords(database: Database): boolean {
  return database.poolState().most >= 3;
}

function initialProgress({ rejects, scan }: ImportDependencies): ImportProgress {
  return {
    step: 0,
    stage: IMPORT_STAGES[0],
    fileIndex: 0,
    place: FILE_START,
    counts: scan.counts,
    rejectsPath: rejects.path,
    rejectsBytes: rejects.bytes,
  };
}

function rejectsOf(file: ScannedFile, { lines }: Batch, outcomes: readonly RowOutcome[]): Reject[] {
  return outcomes.flatMap((outcome, index) => {
    const line = lines[index];
    if (typeof outcome === 'string' || line === undefined) return [];
    const { code, reason } = outcome;
    return [{ file: file.name, line: line.number, code, reason, row: line.excerpt }];
  });
}

/**
 * Returns the counts after a batch. Leaves the earlier counts unchanged, because a retry of the batch starts from them.
 */
function count(before: ImportCounts, { rows }: Batch, outcomes: readonly RowOutcome[]): ImportCounts {
  const counts = structuredClone(before);
  for (const [index, outcome] of outcomes.entries()) {
    const kind = rows[index]?.kind ?? null;
    if (typeof outcome === 'object') countReject(counts, kind, outcome.reason);
    else if (kind !== null) counts.kinds[kind][outcome] += 1;
  }
  return counts;
}
