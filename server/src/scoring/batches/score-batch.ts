import { setTimeout as wait } from 'node:timers/promises';
import type { Connection } from '../../platform/database/connect.ts';
import { retryConflicts } from '../../platform/database/transaction.ts';
import { BackendBusy } from '../backends/backend-reply.ts';
import { EMBEDDED_SOURCE } from '../embedded/current-method.ts';
import type { SubjectFacts } from '../facts/facts-kind.ts';
import { loadFacts } from '../facts/load-facts.ts';
import { enqueueScoring } from '../queue/enqueue-scoring.ts';
import {
  creatorsOf,
  dequeue,
  enqueueConcurrentlyScored,
  readQueueEntries,
  type ScoringQueueEntry,
} from '../queue/scoring-queue.queries.ts';
import type { AcceptedScore } from '../scores/accept-score.ts';
import { acceptScore, ScoreRejected } from '../scores/accept-score.ts';
import { readCurrentVersions, recordScores } from '../scores/score.queries.ts';
import type { ScoreRequest, ScoringBackend } from '../scoring-backend.ts';
import type { SubjectType } from '../subject-type.ts';

/** Outcome of requesting the scores of a batch. */
interface ScoreAnswers {
  accepted: AcceptedScore[];
  /** Ids of subjects with too little evidence for a score. */
  incomplete: string[];
  /**
   * Ids of subjects without a usable answer. Includes those that were not requested, because of an abort or of too
   * many failures.
   */
  failed: string[];
  /** The last error if the backend has failed too often to continue; otherwise null. */
  fatalError: Error | null;
}

/** Concurrent requests to a remote backend: enough to hide network latency, but a light load for the backend. */
const REQUESTS_AT_ONCE = 8;

/**
 * Timeout of one attempt, the same as in a metered call. The delays after a 429 may be longer than in a metered call,
 * because this work runs in the background.
 */
const ATTEMPT_MS = 20_000;

const ATTEMPTS = 5;

const LONGEST_WAIT_MS = 60_000;

/** Consecutive failures after which the backend is considered unavailable. */
const FAILURES_TO_GIVE_UP = 10;

const OPERATIONS: Readonly<Record<SubjectType, string>> = {
  agent: 'agent_score',
  skill: 'skill_score',
  creator: 'creator_score',
  social_account: 'social_account_score',
  messaging_account: 'messenger_account_score',
};

/**
 * Requests the scores of a batch from a backend, outside of the metered route. Incomplete evidence is a valid answer.
 * Failures of a remote backend are returned; errors of the embedded method are bugs, so they reject.
 */
async function requestScores(
  backend: ScoringBackend,
  subjects: readonly SubjectFacts[],
  signal: AbortSignal,
): Promise<ScoreAnswers> {
  const answers: ScoreAnswers = { accepted: [], incomplete: [], failed: [], fatalError: null };
  const waiting = subjects.map(({ subject, facts, now }) => {
    const operation = OPERATIONS[subject.type];
    return { operation, runId: null, subject, facts, now };
  });
  if (backend.source === EMBEDDED_SOURCE) {
    for (const request of waiting)
      collectReply(answers, request, await backend.score(request, signal), backend);
    return answers;
  }
  await requestRemote(backend, waiting, answers, signal);
  answers.failed.push(...waiting.map(({ subject }) => subject.id));
  return answers;
}

async function requestRemote(
  backend: ScoringBackend,
  waiting: ScoreRequest[],
  answers: ScoreAnswers,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  const requestNext = async (): Promise<void> => {
    while (answers.fatalError === null && !signal.aborted) {
      const request = waiting.shift();
      if (request === undefined) return;
      try {
        collectReply(answers, request, await requestWithRetry(backend, request, signal), backend);
        failures = 0;
      } catch (error) {
        answers.failed.push(request.subject.id);
        // An aborted request is not a failure of the backend.
        if (signal.aborted) return;
        failures += 1;
        if (failures >= FAILURES_TO_GIVE_UP) answers.fatalError = error as Error;
      }
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, requestNext));
}

async function requestWithRetry(
  backend: ScoringBackend,
  request: ScoreRequest,
  signal: AbortSignal,
): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await backend.score(request, AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]));
    } catch (error) {
      if (!(error instanceof BackendBusy) || attempt === ATTEMPTS) throw error;
      await wait(Math.min(error.retryAfterMs, LONGEST_WAIT_MS), undefined, { signal });
    }
  }
}

function collectReply(
  answers: ScoreAnswers,
  request: ScoreRequest,
  reply: unknown,
  { source }: ScoringBackend,
) {
  try {
    answers.accepted.push(acceptScore(reply, request, source));
  } catch (error) {
    if (!(error instanceof ScoreRejected && error.kind === 'incomplete')) throw error;
    answers.incomplete.push(request.subject.id);
  }
}

/** Outcome of scoring a batch. */
export interface BatchResult {
  scored: number;
  /** Number of subjects with too little evidence. They keep the score that they have, if any. */
  incomplete: number;
  /** Ids of subjects left unchanged, because the remote backend gave no usable answer or the work was aborted. */
  failed: string[];
  /** Total duration, in milliseconds, of the statements that store the scores and update the queue. */
  recordingMs: number;
}

/** Thrown when a remote backend has failed many times in a row, so that further requests are pointless for now. */
export class BackendUnavailable extends Error {
  override readonly name = 'BackendUnavailable';

  constructor(source: string, cause: Error) {
    const sentence = `The scoring backend ${source} gave no usable score many times in a row. Last error: ${cause.message}.`;
    super(`${sentence} The scores so far are stored. Run it again when the backend responds.`, { cause });
  }
}

/**
 * Maximum times that a batch rescores the subjects which another process scored concurrently. Subjects that still
 * conflict afterwards stay queued for the background job.
 */
const MAX_RESCORES = 3;

/**
 * Scores subjects of any type outside of the metered route and stores the scores in one transaction, which locks the
 * subjects in id order.
 * - Dequeues the subjects and queues what depends on them: children of changed subjects, creators of listings.
 * - Skips subjects that are no longer registered, and with `dueOnly` those that are not queued.
 * - Rescores a subject that another process scored concurrently, because the score of older facts may have been stored
 *   last; with a remote backend, only queues it. Without rescoring, `concurrent-scores.db.test.ts` fails.
 * Throws BackendUnavailable after storing the scores that it received. Inside a transaction only the embedded backend
 * is allowed: no lock may wait for a remote system.
 */
export async function scoreBatch(
  connection: Connection,
  backend: ScoringBackend,
  subjectIds: readonly string[],
  signal: AbortSignal,
  { dueOnly = false, rescores = 0 }: { dueOnly?: boolean; rescores?: number } = {},
): Promise<BatchResult> {
  if (connection.transaction !== null && backend.source !== EMBEDDED_SOURCE) {
    throw new Error('a remote scoring backend must not be called inside a transaction');
  }
  // Reads the versions before the facts, so that any newer version found later was written by another process.
  const seen = await readCurrentVersions(connection, subjectIds);
  const notes = await readQueueEntries(connection, subjectIds);
  const wanted = dueOnly ? notes.map(({ id }) => id) : subjectIds;
  const subjects = [...(await loadFacts(connection, wanted)).values()];
  const { accepted, incomplete, failed, fatalError: gaveUp } = await requestScores(backend, subjects, signal);
  const unscored = new Set(failed);
  const startedAt = performance.now();
  const concurrentlyScored = await store(
    connection,
    accepted,
    notes.filter(({ id }) => !unscored.has(id)),
    seen,
  );
  const recordingMs = performance.now() - startedAt;
  if (gaveUp !== null) throw new BackendUnavailable(backend.source, gaveUp);
  if (concurrentlyScored.length > 0 && rescores < MAX_RESCORES && backend.source === EMBEDDED_SOURCE) {
    await scoreBatch(connection, backend, concurrentlyScored, signal, { dueOnly, rescores: rescores + 1 });
  }
  return { scored: accepted.length, incomplete: incomplete.length, failed, recordingMs };
}

/**
 * Stores scores and dequeues their subjects. Queues again the subjects that another process has scored meanwhile, and
 * returns the ids of these.
 */
async function store(
  connection: Connection,
  accepted: readonly AcceptedScore[],
  notes: readonly ScoringQueueEntry[],
  seen: ReadonlyMap<string, string>,
): Promise<string[]> {
  // Retries conflicts only outside of a transaction: a conflict aborts the whole transaction, so only the code that
  // began the transaction can retry it.
  const withRetry = <Result>(work: () => Promise<Result>) =>
    connection.transaction === null ? retryConflicts(work) : work();
  const recorded = await withRetry(() => recordScores(connection, accepted));
  await withRetry(() => dequeue(connection, notes));
  const creators = await creatorsOf(
    connection,
    accepted.map(({ subjectId }) => subjectId),
  );
  await withRetry(() => enqueueScoring(connection, [], creators));
  const since = recorded.map((each) => ({ ...each, seen: seen.get(each.subjectId) ?? null }));
  return withRetry(() => enqueueConcurrentlyScored(connection, since));
}
