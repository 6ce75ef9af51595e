import type { Connection } from '../database/connect.ts';
import type { SubjectType } from '../subjects/subject-type.ts';
import { BatchSize } from './batch-size.ts';
import { type BatchResult, scoreBatch } from './score-batch.ts';
import type { ScoringBackend } from './scoring-backend.ts';
import { scoringOrder } from './scoring-order.ts';
import { findPlaces } from './subject-types.repository.ts';

/** What scoring subjects came to. */
export interface ScoringResult {
  scored: number;
  incomplete: number;
  /** Subjects left as they were: another system gave no usable answer, or work was to stop before their turn. */
  failed: number;
}

export interface ScoringOptions {
  /** Once given, the batch under way is finished and no further one is begun. */
  signal?: AbortSignal;
  /** Passes over subjects that are no longer noted as due when their batch begins: others have scored them since. */
  dueOnly?: boolean;
  /** Told of every batch, in its order; failed ids are those of this batch. */
  onBatch?: (subjectIds: readonly string[], result: BatchResult) => Promise<void> | void;
}

/**
 * Scores subjects of any type outside of the metered route (import, registration, recompute) and records the scores
 * batch by batch: parents before children, then creators, whose listings have their scores by then, then accounts.
 * What the backend is and where it may be asked is as for `scoreBatch`.
 */
export async function scoreSubjects(
  connection: Connection,
  backend: ScoringBackend,
  subjectIds: readonly string[],
  { signal = new AbortController().signal, dueOnly = false, onBatch }: ScoringOptions = {},
): Promise<ScoringResult> {
  const result: ScoringResult = { scored: 0, incomplete: 0, failed: 0 };
  const size = new BatchSize();
  for (const generation of await orderOf(connection, subjectIds)) {
    for (let start = 0; start < generation.length; ) {
      if (signal.aborted) return result;
      // One transaction holds what it locks until its end, however many statements it takes.
      const most = connection.transaction === null ? size.rows : generation.length;
      const batch = generation.slice(start, start + most);
      start += batch.length;
      const done = await scoreBatch(connection, backend, batch, signal, { dueOnly });
      // A short rest of a generation says nothing of how long a full batch takes.
      if (batch.length === size.rows) size.learn(batch.length, done.recordingMs);
      result.scored += done.scored;
      result.incomplete += done.incomplete;
      result.failed += done.failed.length;
      await onBatch?.(batch, done);
    }
  }
  return result;
}

/** Generations of subjects; each needs only the scores of earlier ones. */
async function orderOf(connection: Connection, ids: readonly string[]): Promise<string[][]> {
  if (ids.length === 0) return [];
  const subjects = await findPlaces(connection, ids);
  const parents = new Map(subjects.flatMap(({ id, parent }) => (parent === null ? [] : [[id, parent]])));
  const idsOf = (...types: SubjectType[]) =>
    subjects.filter(({ type }) => types.includes(type)).map(({ id }) => id);
  const others = [idsOf('creator'), idsOf('social_account', 'messaging_account')];
  return [...scoringOrder(idsOf('agent', 'skill'), parents), ...others].filter(({ length }) => length > 0);
}
