import type { Database } from '../database/connect.ts';
import { countDue, listDue, someDue } from './score-due.repository.ts';
import { scoreSubjects } from './score-subjects.ts';
import type { ScoringBackend } from './scoring-backend.ts';

/** Told how far the scoring is; `begin` comes again where scores have made others due. */
export interface ScoringProgress {
  begin(subjects: number): void;
  advance(subjects: number, scored: number): void;
  end(): void;
}

/**
 * Scores every subject whose facts changed since its last score, until none is left or the signal is given; children
 * and creators of what is scored follow. Subjects to which another system gives no usable score stay due; throws
 * BackendAway where it gives none at all.
 */
export async function scoreDueSubjects(
  database: Database,
  backend: ScoringBackend,
  signal: AbortSignal,
  progress: ScoringProgress,
): Promise<void> {
  const failed = new Set<string>();
  while (!signal.aborted) {
    const due = (await listDue(database)).filter((id) => !failed.has(id));
    if (due.length === 0) break;
    progress.begin(due.length);
    try {
      await scoreSubjects(database, backend, due, {
        signal,
        onBatch(batch, result) {
          for (const id of result.failed) failed.add(id);
          progress.advance(batch.length, result.scored);
        },
      });
    } finally {
      progress.end();
    }
  }
}

/** How many subjects wait for their score. */
export function countWaiting(database: Database): Promise<number> {
  return countDue(database);
}

/** A round in the background takes so many. */
const SOME = 500;
/** Younger notes are left alone: an import that is under way scores them itself, once all of its rows are there. */
const SETTLED_AFTER_SECONDS = 15;

/** Scores some of the subjects that wait for it, as a round of background work; answers how many. */
export async function scoreSomeDue(
  database: Database,
  backend: ScoringBackend,
  signal: AbortSignal,
): Promise<number> {
  const due = await someDue(database, SOME, SETTLED_AFTER_SECONDS);
  const { scored } = await scoreSubjects(database, backend, due, { signal });
  return scored;
}
