import { setTimeout as wait } from 'node:timers/promises';
import type { SubjectType } from '../subjects/subject-type.ts';
import { type AcceptedScore, acceptScore, ScoreRejected } from './accept-score.ts';
import { BackendBusy } from './backends/backend-busy.ts';
import { EMBEDDED_SOURCE } from './embedded/rs-1.0.0.ts';
import type { SubjectFacts } from './facts/subject-facts.ts';
import type { ScoreRequest, ScoringBackend } from './scoring-backend.ts';

/** What asking for the scores of a batch came to. */
export interface Answers {
  accepted: AcceptedScore[];
  /** Ids of subjects of which too little is known. */
  incomplete: string[];
  /** Ids of subjects that got no usable answer, or were not asked about any more. */
  failed: string[];
  /** Set where the backend is not worth asking any longer, to why. */
  gaveUp: Error | null;
}

/** So many requests to another system at once: quick over a network, and a light load for anyone who answers. */
const REQUESTS_AT_ONCE = 8;
/** One answer takes as long as in a metered call; a 429 is waited out longer than there, for nobody is waiting. */
const ATTEMPT_MS = 20_000;
const ATTEMPTS = 5;
const LONGEST_WAIT_MS = 60_000;
/** So many failures in a row are no matter of the subjects. */
const FAILURES_TO_GIVE_UP = 10;

const OPERATIONS: Readonly<Record<SubjectType, string>> = {
  agent: 'agent_score',
  skill: 'skill_score',
  creator: 'creator_score',
  social_account: 'social_account_score',
  messaging_account: 'messenger_account_score',
};

/**
 * Asks a backend for the scores of a batch, outside of the metered route. Incomplete evidence is an answer. Another
 * system's failures are told, not thrown; the embedded method has none, so that whatever it throws rejects.
 */
export async function askForScores(
  backend: ScoringBackend,
  subjects: readonly SubjectFacts[],
  signal: AbortSignal,
): Promise<Answers> {
  const answers: Answers = { accepted: [], incomplete: [], failed: [], gaveUp: null };
  const waiting = subjects.map(({ subject, facts, now }) => {
    const operation = OPERATIONS[subject.type];
    return { operation, runId: null, subject, facts, now };
  });
  if (backend.source === EMBEDDED_SOURCE) {
    for (const request of waiting) noteReply(answers, request, await backend.score(request, signal), backend);
    return answers;
  }
  await askRemote(backend, waiting, answers, signal);
  answers.failed.push(...waiting.map(({ subject }) => subject.id));
  return answers;
}

async function askRemote(
  backend: ScoringBackend,
  waiting: ScoreRequest[],
  answers: Answers,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  const askNext = async (): Promise<void> => {
    while (answers.gaveUp === null && !signal.aborted) {
      const request = waiting.shift();
      if (request === undefined) return;
      try {
        noteReply(answers, request, await askPatiently(backend, request, signal), backend);
        failures = 0;
      } catch (error) {
        answers.failed.push(request.subject.id);
        // Told to stop: that is no failure of the backend.
        if (signal.aborted) return;
        failures += 1;
        if (failures >= FAILURES_TO_GIVE_UP) answers.gaveUp = error as Error;
      }
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, askNext));
}

async function askPatiently(
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

function noteReply(answers: Answers, request: ScoreRequest, reply: unknown, { source }: ScoringBackend) {
  try {
    answers.accepted.push(acceptScore(reply, request, source));
  } catch (error) {
    if (!(error instanceof ScoreRejected && error.kind === 'incomplete')) throw error;
    answers.incomplete.push(request.subject.id);
  }
}
