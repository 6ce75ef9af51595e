import type { Database } from '../database/connect.ts';
import { EMBEDDED_SOURCE } from './embedded/rs-1.0.0.ts';
import { scoreSubjects } from './score-subjects.ts';
import type { ScoringBackend } from './scoring-backend.ts';

/** What somebody may wait for: more is left to the background. */
const MOST = 500;

/**
 * Scores subjects that a change just made due, where the embedded backend scores, so that the one who made the change sees its
 * effect. Whatever does not come to a score here is still noted as due: the change itself is stored and never fails by it.
 */
export async function scoreNow(
  database: Database,
  backend: ScoringBackend,
  subjectIds: readonly string[],
): Promise<void> {
  if (backend.source !== EMBEDDED_SOURCE || subjectIds.length === 0) return;
  await scoreSubjects(database, backend, subjectIds.slice(0, MOST)).catch(() => undefined);
}
