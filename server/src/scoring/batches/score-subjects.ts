import type { Connection, Database } from '../../platform/database/connect.ts';
import { EMBEDDED_SOURCE } from '../embedded/current-method.ts';
import { findParents } from '../facts/scored-subjects.queries.ts';
import { enqueueScoring } from '../queue/enqueue-scoring.ts';
import { creatorsOf } from '../queue/scoring-queue.queries.ts';
import { lockScoredSubjects } from '../scores/score.queries.ts';
import type { ScoringBackend } from '../scoring-backend.ts';
import type { SubjectType } from '../subject-type.ts';
import { type BatchResult, scoreBatch } from './score-batch.ts';

const FIRST = 100;

const SMALLEST = 20;

const LARGEST = 1000;

/**
 * Target duration of storing a batch. A batch holds its locks until it commits, and other writers must not wait longer
 * than 500 ms for them.
 */
const TARGET_MS = 200;

/** Maximum factor by which the batch size grows, because a single fast batch is weak evidence. */
const GROWTH = 2;

/**
 * Adapts the number of rows per batch, so that storing a batch takes about 200 ms on this machine. Without the
 * adaptation, `adaptive-batch-size.test.ts` fails.
 */
export class AdaptiveBatchSize {
  #rows = FIRST;

  get rows(): number {
    return this.#rows;
  }

  /** Adjusts the size after a batch of `rows` rows that took `elapsedMs` to store. */
  learn(rows: number, elapsedMs: number): void {
    const fitting = Math.floor((rows * TARGET_MS) / Math.max(elapsedMs, 1));
    this.#rows = Math.min(Math.max(fitting, SMALLEST), rows * GROWTH, LARGEST);
    this.#rows = Math.max(this.#rows, SMALLEST);
  }
}

/** Numbers of subjects by the result of scoring them. `incomplete`: too little evidence for a score. */
export interface ScoringResult {
  scored: number;
  incomplete: number;
  /** Subjects left unchanged, because the remote backend gave no usable answer or the work was aborted. */
  failed: number;
}

export interface ScoringOptions {
  /** Signal that stops scoring after the current batch. */
  signal?: AbortSignal;
  /** Skips subjects that are no longer queued when their batch starts, because another process has scored them. */
  dueOnly?: boolean;
  /** Called after every batch with all its subjects; `result.failed` has the ids of those left unchanged. */
  onBatch?: (subjectIds: readonly string[], result: BatchResult) => Promise<void> | void;
}

/**
 * Scores subjects of any type outside of the metered route (import, registration, recompute) and stores the scores
 * batch by batch. Order: parents before children; then creators, whose portfolio needs the scores of their listings;
 * then accounts. Inside a transaction, only the embedded backend is allowed.
 */
export async function scoreSubjects(
  connection: Connection,
  backend: ScoringBackend,
  subjectIds: readonly string[],
  { signal = new AbortController().signal, dueOnly = false, onBatch }: ScoringOptions = {},
): Promise<ScoringResult> {
  const result: ScoringResult = { scored: 0, incomplete: 0, failed: 0 };
  const size = new AdaptiveBatchSize();
  const generations = await orderOf(connection, subjectIds);
  if (connection.transaction !== null && generations.length > 1)
    await lockScoredSubjects(connection, generations.flat());
  for (const generation of generations) {
    for (let start = 0; start < generation.length; ) {
      if (signal.aborted) return result;
      // A transaction keeps its locks until it ends, so smaller batches would not shorten the waits of other writers.
      const most = connection.transaction === null ? size.rows : generation.length;
      const batch = generation.slice(start, start + most);
      start += batch.length;
      const done = await scoreBatch(connection, backend, batch, signal, { dueOnly });
      // The last batch of a generation is often short and does not show how long a full batch takes.
      if (batch.length === size.rows) size.learn(batch.length, done.recordingMs);
      result.scored += done.scored;
      result.incomplete += done.incomplete;
      result.failed += done.failed.length;
      await onBatch?.(batch, done);
    }
  }
  return result;
}

/** Returns the subjects in generations. Each generation needs only the scores of earlier ones. */
async function orderOf(connection: Connection, ids: readonly string[]): Promise<string[][]> {
  if (ids.length === 0) return [];
  const subjects = await findParents(connection, ids);
  const parents = new Map(subjects.flatMap(({ id, parent }) => (parent === null ? [] : [[id, parent]])));
  const idsOf = (...types: SubjectType[]) =>
    subjects.filter(({ type }) => types.includes(type)).map(({ id }) => id);
  const others = [idsOf('creator'), idsOf('social_account', 'messaging_account')];
  return [...scoringOrder(idsOf('agent', 'skill'), parents), ...others].filter(({ length }) => length > 0);
}

/**
 * Splits subjects into generations, parents before their children, so that a parent's score exists when its child is
 * scored. Ignores parents that are not among `ids`. Each generation is in id order. Subjects of a cycle, and their
 * descendants, form the last generation.
 */
export function scoringOrder(ids: readonly string[], parentOf: ReadonlyMap<string, string>): string[][] {
  let waiting = [...new Set(ids)].sort();
  const generations: string[][] = [];
  while (waiting.length > 0) {
    const open = new Set(waiting);
    const ready = waiting.filter((id) => !open.has(parentOf.get(id) ?? ''));
    generations.push(ready.length > 0 ? ready : waiting);
    const done = new Set(generations.at(-1));
    waiting = waiting.filter((id) => !done.has(id));
  }
  return generations;
}

/** Maximum subjects that `scoreInline` scores at once; the rest stay in the scoring queue. */
const MAX_INLINE_SUBJECTS = 500;

/**
 * Scores subjects right after a change that has queued them, so that the user who made the change sees its effect. Does
 * nothing with a remote backend. Subjects that are not scored here stay queued. A scoring failure is ignored, because
 * the change is already stored.
 */
export async function scoreInline(
  database: Database,
  backend: ScoringBackend,
  subjectIds: readonly string[],
): Promise<void> {
  if (backend.source !== EMBEDDED_SOURCE || subjectIds.length === 0) return;
  await scoreSubjects(database, backend, subjectIds.slice(0, MAX_INLINE_SUBJECTS)).catch(() => undefined);
}

/**
 * Scores subjects in the transaction that has stored them and returns how many got a score. With `withCreators`, also
 * scores the creators of listings among them. A remote backend is never called inside a transaction: if the backend is
 * remote, queues the subjects instead and returns 0.
 */
export async function scoreInTransaction(
  connection: Connection,
  backend: ScoringBackend,
  subjectIds: readonly string[],
  { withCreators = false }: { withCreators?: boolean } = {},
): Promise<number> {
  const ids = [...new Set(subjectIds)];
  if (backend.source !== EMBEDDED_SOURCE) {
    await enqueueScoring(connection, ids);
    return 0;
  }
  const creators = withCreators ? await creatorsOf(connection, ids) : [];
  const { scored } = await scoreSubjects(connection, backend, [...ids, ...creators]);
  return scored;
}
