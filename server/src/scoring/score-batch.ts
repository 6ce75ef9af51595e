import type { Connection } from '../database/connect.ts';
import { retryConflicts } from '../database/retry-conflicts.ts';
import type { AcceptedScore } from './accept-score.ts';
import { askForScores } from './ask-for-scores.ts';
import { EMBEDDED_SOURCE } from './embedded/rs-1.0.0.ts';
import { loadFacts } from './facts/load-facts.ts';
import { noteScoreDue } from './note-score-due.ts';
import { readDatabaseTime, recordScores } from './score.repository.ts';
import { creatorsOf, type DueNote, noteCrossed, readNotes, settleNotes } from './score-due.repository.ts';
import type { ScoringBackend } from './scoring-backend.ts';

/** What scoring a batch came to. */
export interface BatchResult {
  scored: number;
  /** Subjects of which too little is known: left without a score, or with the one they had. */
  incomplete: number;
  /** Ids of subjects left as they were because another system gave no usable answer, or work was to stop. */
  failed: string[];
  /** How long the statements that lock the subjects took together. */
  recordingMs: number;
}

/** Another system gave no usable score time after time: nobody need go on asking it now. */
export class BackendAway extends Error {
  override readonly name = 'BackendAway';

  constructor(source: string, cause: Error) {
    const sentence = `The scoring backend ${source} gave no usable score many times in a row; the last time: ${cause.message}.`;
    super(`${sentence} What was scored is stored; start again once it answers.`, { cause });
  }
}

/** So often a batch is scored again where others scored the same subjects meanwhile; then it is left to the background. */
const CROSSINGS = 3;

/**
 * Scores subjects of any type outside of the metered route and records their scores in one transaction, which locks them
 * in the order of their ids. Takes them off the list of due ones, and puts those on it that build on them: children of
 * changed subjects, creators of listings. What nothing stands behind is passed over. Throws BackendAway after storing
 * what it got. With `dueOnly`, subjects without a note are passed over, too. Where two score a subject at once, the older facts may come last: it is scored again. Inside a transaction only the embedded backend may be asked: no lock may wait for another system.
 */
export async function scoreBatch(
  connection: Connection,
  backend: ScoringBackend,
  subjectIds: readonly string[],
  signal: AbortSignal,
  { dueOnly = false, crossings = 0 }: { dueOnly?: boolean; crossings?: number } = {},
): Promise<BatchResult> {
  if (connection.transaction !== null && backend.source !== EMBEDDED_SOURCE) {
    throw new Error('a remote scoring backend may not be asked inside a transaction');
  }
  const readAt = await readDatabaseTime(connection);
  const notes = await readNotes(connection, subjectIds);
  const wanted = dueOnly ? notes.map(({ id }) => id) : subjectIds;
  const subjects = [...(await loadFacts(connection, wanted)).values()];
  const { accepted, incomplete, failed, gaveUp } = await askForScores(backend, subjects, signal);
  const unscored = new Set(failed);
  const startedAt = performance.now();
  const crossed = await store(
    connection,
    accepted,
    notes.filter(({ id }) => !unscored.has(id)),
    readAt,
  );
  const recordingMs = performance.now() - startedAt;
  if (gaveUp !== null) throw new BackendAway(backend.source, gaveUp);
  if (crossed.length > 0 && crossings < CROSSINGS && backend.source === EMBEDDED_SOURCE) {
    await scoreBatch(connection, backend, crossed, signal, { dueOnly, crossings: crossings + 1 });
  }
  return { scored: accepted.length, incomplete: incomplete.length, failed, recordingMs };
}

/** Stores scores and takes off notes; answers the subjects whose score somebody else recorded meanwhile, noted anew. */
async function store(
  connection: Connection,
  accepted: readonly AcceptedScore[],
  notes: readonly DueNote[],
  factsReadAt: string,
): Promise<string[]> {
  // A transaction that has met a conflict is lost: anyone who began it begins again.
  const surely = <Result>(work: () => Promise<Result>) =>
    connection.transaction === null ? retryConflicts(work) : work();
  const recorded = await surely(() => recordScores(connection, accepted));
  await surely(() => settleNotes(connection, notes));
  const creators = await creatorsOf(
    connection,
    accepted.map(({ subjectId }) => subjectId),
  );
  await surely(() => noteScoreDue(connection, [], creators));
  return surely(() => noteCrossed(connection, recorded, factsReadAt));
}
