import type { BackendScore, ScoreRequest, ScoringBackend } from '../../src/scoring/scoring-backend.ts';

/** What the stand-in does with a call: an answer made from the request, a hang until the call is given up, or a failure. */
export type Behaviour = (request: ScoreRequest, signal: AbortSignal) => Promise<unknown>;

export interface StandInBackend extends ScoringBackend {
  /** The runs it was asked about, in order. */
  readonly calls: string[];
  behave(behaviour: Behaviour): void;
}

/** A score that passes every check. */
export function usableScore(request: ScoreRequest, changes: Partial<BackendScore> = {}): BackendScore {
  return {
    subjectType: request.subject.type,
    trust: 61.5,
    confidence: 48.2,
    lowerBound: 41.3,
    tier: 'medium',
    ownTrust: 61.5,
    ownConfidence: 48.2,
    status: 'partial',
    freshness: '2026-08-01T00:00:00.000Z',
    coverage: 0.7,
    methodVersion: 'stand-in-1',
    inputsHash: '0'.repeat(64),
    contributions: [],
    caps: [],
    ...changes,
  };
}

export const answer: Behaviour = async (request) => usableScore(request);

/** Answers after a while, so that calls overlap. */
export function answerAfter(delayMs: number): Behaviour {
  return async (request) => {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    return usableScore(request);
  };
}

/** Answers when it is told to; `once` resolves with the first call. */
export function answerWhenTold(): { behaviour: Behaviour; once: Promise<void>; tell(): void } {
  let beAsked: () => void;
  let tell: () => void;
  const once = new Promise<void>((resolve) => {
    beAsked = resolve;
  });
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const behaviour: Behaviour = async (request) => {
    beAsked();
    await told;
    return usableScore(request);
  };
  return { behaviour, once, tell: () => tell() };
}

/** Never answers; ends only when the call is given up. */
export const hang: Behaviour = (_request, signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

export const refuse: Behaviour = async () => {
  throw new Error('the stand-in refuses');
};

/** A scoring backend under a test's control; it answers at once until told otherwise. */
export function createStandIn(behaviour: Behaviour = answer): StandInBackend {
  let current = behaviour;
  const calls: string[] = [];
  return {
    source: 'stand-in',
    calls,
    behave: (next) => {
      current = next;
    },
    score(request, signal) {
      calls.push(request.runId ?? '');
      return current(request, signal) as Promise<BackendScore>;
    },
  };
}

/** The same, of a backend that answers in this process before anything is held; `calls` are those that it was asked besides. */
export function createStandInAtOnce(
  scoreAtOnce: (request: ScoreRequest) => unknown = usableScoreOf,
): StandInBackend {
  return { ...createStandIn(), scoreAtOnce: (request) => scoreAtOnce(request) as BackendScore };
}

function usableScoreOf(request: ScoreRequest): BackendScore {
  return usableScore(request);
}
