import type { Connection, Database } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';
import { EMBEDDED_SOURCE } from '../../scoring/embedded/rs-1.0.0.ts';
import { scoreSubjects } from '../../scoring/score-subjects.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import { nextDue, settleDue } from './score-due.repository.ts';

// Far below the 500 ms that a batch may hold its locks.
const BATCH_SIZE = 250;

/**
 * Scores every subject whose facts changed since its last score, batch by batch, until none is left or the signal is
 * given. Each batch of the embedded backend is one transaction; another system is asked outside of any. Answers how
 * many scores were recorded.
 */
export async function scoreDueSubjects(
  database: Database,
  backend: ScoringBackend,
  signal: AbortSignal,
  onScored: (subjects: number) => void = () => undefined,
): Promise<number> {
  const isEmbedded = backend.source === EMBEDDED_SOURCE;
  let scored = 0;
  while (!signal.aborted) {
    const work = (connection: Connection) => scoreBatch(connection, backend);
    const batch = isEmbedded ? await inTransaction(database, work) : await work(database);
    if (batch.subjects === 0) break;
    scored += batch.scored;
    onScored(batch.subjects);
  }
  return scored;
}

async function scoreBatch(
  connection: Connection,
  backend: ScoringBackend,
): Promise<{ subjects: number; scored: number }> {
  const due = await nextDue(connection, BATCH_SIZE);
  if (due.length === 0) return { subjects: 0, scored: 0 };
  const { scored } = await scoreSubjects(
    connection,
    backend,
    due.map(({ id }) => id),
  );
  await settleDue(connection, due);
  return { subjects: due.length, scored };
}
