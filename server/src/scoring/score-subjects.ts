import type { Connection } from '../database/connect.ts';
import { type AcceptedScore, acceptScore, ScoreRejected } from './accept-score.ts';
import { EMBEDDED_SOURCE } from './embedded/rs-1.0.0.ts';
import { loadRepositoryFacts, type SubjectFacts } from './facts.repository.ts';
import { recordScores } from './score.repository.ts';
import type { ScoringBackend } from './scoring-backend.ts';
import { scoringOrder } from './scoring-order.ts';

/** How many subjects one statement locks: well under the 500 ms that a batch may hold its locks. */
const BATCH_SIZE = 250;

export interface ScoringResult {
  scored: number;
  /** Subjects of which too little is known: left without a score, or with the one they had. */
  incomplete: number;
}

export interface ScoringOptions {
  signal?: AbortSignal;
  /** Told after every batch how many subjects are done, of how many. */
  onProgress?: (done: number, total: number) => void;
}

/**
 * Scores listings and artifacts outside of the metered route (import, registration, recompute), parents first, and
 * records the scores batch by batch. Subjects without facts of a repository are passed over. A reply that is no usable
 * score rejects. Inside a transaction only the embedded backend may be asked: no lock may wait for another system.
 */
export async function scoreSubjects(
  connection: Connection,
  backend: ScoringBackend,
  subjectIds: readonly string[],
  { signal = new AbortController().signal, onProgress }: ScoringOptions = {},
): Promise<ScoringResult> {
  if (connection.transaction !== null && backend.source !== EMBEDDED_SOURCE) {
    throw new Error('a remote scoring backend may not be asked inside a transaction');
  }
  const generations = scoringOrder(subjectIds, await loadParents(connection, subjectIds));
  const batches = generations.flatMap((generation) => batchesOf(generation));
  const total = generations.reduce((sum, generation) => sum + generation.length, 0);
  const result: ScoringResult = { scored: 0, incomplete: 0 };
  let done = 0;
  for (const batch of batches) {
    const facts = await loadRepositoryFacts(connection, batch);
    const accepted = await scoreBatch(backend, [...facts.values()], signal);
    await recordScores(connection, accepted);
    result.scored += accepted.length;
    result.incomplete += facts.size - accepted.length;
    done += batch.length;
    onProgress?.(done, total);
  }
  return result;
}

async function scoreBatch(
  backend: ScoringBackend,
  subjects: readonly SubjectFacts[],
  signal: AbortSignal,
): Promise<AcceptedScore[]> {
  const accepted: AcceptedScore[] = [];
  for (const { subject, facts, now } of subjects) {
    const operation = subject.type === 'agent' ? 'agent_score' : 'skill_score';
    const request = { operation, runId: null, subject, facts, now };
    try {
      accepted.push(acceptScore(await backend.score(request, signal), request, backend.source));
    } catch (error) {
      if (!(error instanceof ScoreRejected && error.kind === 'incomplete')) throw error;
    }
  }
  return accepted;
}

async function loadParents(connection: Connection, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await connection.query<{ id: string; parent: string }>(
    `SELECT subject_id AS id, parent_id AS parent FROM listing
     WHERE subject_id = ANY ($1::uuid[]) AND parent_id = ANY ($1::uuid[])`,
    [ids],
  );
  return new Map(rows.map(({ id, parent }) => [id, parent]));
}

function batchesOf(ids: readonly string[]): string[][] {
  const batches: string[][] = [];
  for (let start = 0; start < ids.length; start += BATCH_SIZE)
    batches.push(ids.slice(start, start + BATCH_SIZE));
  return batches;
}
