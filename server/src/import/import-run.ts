import type { Database } from '../database/connect.ts';
import { plannedAnew } from '../database/planned-anew.ts';
import { retryConflicts } from '../database/retry-conflicts.ts';
import { ListedMeanwhile } from '../registry/listings/apply-rows.ts';
import type { RowOutcome } from '../registry/listings/listing-row.ts';
import { lockLineage } from '../registry/relations/lineage-edges.ts';
import { BatchSize } from '../scoring/batch-size.ts';
import { BackendAway } from '../scoring/score-batch.ts';
import { countWaiting, scoreDueSubjects } from '../scoring/score-due.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { countReject, type ImportCounts } from './import-counts.ts';
import {
  forgetProgress,
  type ImportProgress,
  loadProgress,
  saveProgress,
} from './import-progress.repository.ts';
import { hashOfSources } from './import-source.ts';
import { type RowStage, STAGE_LABELS, STAGES } from './import-stages.ts';
import type { ImportSummary } from './import-summary.ts';
import { inBatch } from './in-batch.ts';
import { grouped, type ProgressReporter } from './progress-reporter.ts';
import { type Batch, readAhead, readBatches } from './read-batches.ts';
import { BEGINNING } from './read-lines.ts';
import type { Reject, RejectsFile } from './rejects-file.ts';
import { storeRows } from './save-batch.ts';
import type { Scan, ScannedFile } from './scan-files.ts';
import { ScoreBeside } from './score-beside.ts';

/** What an import works with. */
export interface ImportParts {
  database: Database;
  backend: ScoringBackend;
  scan: Scan;
  rejects: RejectsFile;
  reporter: ProgressReporter;
}

/**
 * One import from the first batch, or the one after an interruption, to the last. Each batch is one transaction that
 * also saves the place after it, and notes what it has to score; a batch that changes nothing saves nothing, and is only read
 * again.
 */
export class ImportRun {
  readonly #parts: ImportParts;
  readonly #filesHash: string;
  readonly #resumed: boolean;
  readonly #beside: ScoreBeside;
  #progress: ImportProgress;
  #scored = 0;

  private constructor(parts: ImportParts, filesHash: string, earlier: ImportProgress | null) {
    this.#parts = parts;
    this.#filesHash = filesHash;
    this.#resumed = earlier !== null;
    this.#beside = new ScoreBeside(parts.database, parts.backend);
    this.#progress = earlier ?? beginning(parts);
  }

  /** Goes on where an interrupted import of the same files stopped, or begins. */
  static async start(parts: ImportParts): Promise<ImportRun> {
    const { database, rejects, reporter, scan } = parts;
    const filesHash = hashOfSources(scan.files, STAGES);
    // What a release before began in another order begins again: rows that are stored are unchanged.
    await forgetProgress(database, hashOfSources(scan.files, []));
    const earlier = await loadProgress(database, filesHash);
    if (
      earlier !== null &&
      earlier.rejectsPath === rejects.path &&
      (await rejects.resume(earlier.rejectsBytes))
    ) {
      const { name = '' } = scan.files[earlier.fileIndex] ?? {};
      const place = `${STAGE_LABELS[earlier.stage]}, line ${grouped(earlier.place.line)} of ${name}`;
      reporter.line(`Continuing an interrupted import of these files: ${place}.`);
      return new ImportRun(parts, filesHash, earlier);
    }
    await rejects.begin();
    if (earlier !== null) await forgetProgress(database, filesHash);
    return new ImportRun(parts, filesHash, null);
  }

  get outcome(): Omit<ImportSummary, 'finished' | 'seconds'> {
    const { rejects } = this.#parts;
    const rejectsPath = rejects.bytes > 0 ? rejects.path : null;
    const scored = this.#beside.scored + this.#scored;
    return { ...this.#progress.counts, resumed: this.#resumed, scored, rejectsPath };
  }

  /** Imports what is left; false where the signal stopped it before the end. */
  async goOn(signal: AbortSignal): Promise<boolean> {
    for (const stage of STAGES.slice(STAGES.indexOf(this.#progress.stage))) {
      if (stage === 'score') await this.#scoreDue(signal);
      else await this.#storeRows(stage, signal);
      if (signal.aborted) return false;
    }
    if (this.#progress.step > 0) await forgetProgress(this.#parts.database, this.#filesHash);
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
        const from = isResumed && index === first ? this.#progress.place : BEGINNING;
        this.#progress = { ...this.#progress, stage, fileIndex: index, place: from };
        await this.#storeFile(file, stage, signal);
        if (signal.aborted) break;
      }
    } finally {
      await this.#beside.finish();
    }
    reporter.end();
  }

  async #storeFile(file: ScannedFile, stage: RowStage, signal: AbortSignal): Promise<void> {
    const size = new BatchSize();
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
    const { database, rejects, scan } = this.#parts;
    const store = () =>
      inBatch(database, async (connection) => {
        await lockLineage(connection);
        const { outcomes, saved } = await storeRows(connection, batch.rows, scan.renames);
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
        return { next: wrote ? { ...next, step: next.step + 1 } : next, rejected, saved };
      });
    const stored = await retryConflicts(store, (error) => error instanceof ListedMeanwhile);
    this.#progress = stored.next;
    await rejects.append(stored.rejected);
    await this.#beside.take(stored.saved);
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
      await scoreDueSubjects(plannedAnew(database), backend, signal, progress);
    } catch (error) {
      // The rows are stored, and what waits for its score stays noted.
      if (!(error instanceof BackendAway)) throw error;
      reporter.line(error.message);
    }
    const waiting = await countWaiting(database);
    if (waiting > 0 && !signal.aborted) {
      reporter.line(`${grouped(waiting)} subjects have no score yet: run the command recompute.`);
    }
  }
}

function beginning({ rejects, scan }: ImportParts): ImportProgress {
  return {
    step: 0,
    stage: STAGES[0],
    fileIndex: 0,
    place: BEGINNING,
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

/** The counts after a batch; those before it stay as they are, for the batch may have to be stored again. */
function count(before: ImportCounts, { rows }: Batch, outcomes: readonly RowOutcome[]): ImportCounts {
  const counts = structuredClone(before);
  for (const [index, outcome] of outcomes.entries()) {
    const kind = rows[index]?.kind ?? null;
    if (typeof outcome === 'object') countReject(counts, kind, outcome.reason);
    else if (kind !== null) counts.kinds[kind][outcome] += 1;
  }
  return counts;
}
