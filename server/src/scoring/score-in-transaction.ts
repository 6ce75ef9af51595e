import type { Connection } from '../database/connect.ts';
import { EMBEDDED_SOURCE } from './embedded/rs-1.0.0.ts';
import { noteScoreDue } from './note-score-due.ts';
import { creatorsOf } from './score-due.repository.ts';
import { scoreSubjects } from './score-subjects.ts';
import type { ScoringBackend } from './scoring-backend.ts';

/**
 * Scores subjects in the transaction that has stored them, with the creators of the listings among them where that is
 * asked, and answers how many got a score. A remote backend is never asked inside a transaction: what it has to score is
 * noted, and has no score until then.
 */
export async function scoreInTransaction(
  connection: Connection,
  backend: ScoringBackend,
  subjectIds: readonly string[],
  { withCreators = false }: { withCreators?: boolean } = {},
): Promise<number> {
  const ids = [...new Set(subjectIds)];
  if (backend.source !== EMBEDDED_SOURCE) {
    await noteScoreDue(connection, ids);
    return 0;
  }
  const creators = withCreators ? await creatorsOf(connection, ids) : [];
  const { scored } = await scoreSubjects(connection, backend, [...ids, ...creators]);
  return scored;
}
