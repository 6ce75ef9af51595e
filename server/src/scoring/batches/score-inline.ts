import type { Connection, Database } from '../../platform/database/connect.ts';
import { EMBEDDED_SOURCE } from '../embedded/rs-1.0.0.ts';
import { enqueueScoring } from '../queue/enqueue-scoring.ts';
import { creatorsOf } from '../queue/scoring-queue.queries.ts';
import type { ScoringBackend } from '../scoring-backend.ts';
import { scoreSubjects } from './score-subjects.ts';

/** Maximum subjects scored inline; the rest are queued. */
const MAX_INLINE_SUBJECTS = 500;

/**
 * Scores subjects right after a change made them due, so that the user who made the change sees its effect. Only the
 * embedded backend scores inline. Subjects without a score here stay queued: a scoring failure never fails the
 * change, which is already stored.
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
 * Scores subjects in the transaction that has stored them, optionally with the creators of listings among them, and
 * returns how many got a score. A remote backend is never called inside a transaction: its subjects are queued
 * instead.
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
