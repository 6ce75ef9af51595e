import type { BackendScore, ScoreRequest, ScoringBackend } from '../../src/scoring/scoring-backend.ts';

/** Reaction of the stand-in to a call: an answer, waiting until the call is aborted, or a failure. */
export type Behaviour = (request: ScoreRequest, signal: AbortSignal) => Promise<unknown>;

export interface StandInBackend extends ScoringBackend {
  /** Runs it was called for, in order. */
  readonly calls: string[];
  behave(behaviour: Behaviour): void;
}

/** Creates a score that passes every check. */
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

/** Returns a behaviour that answers after a delay, so that calls overlap. */
export function answerAfter(delayMs: number): Behaviour {
  return async (request) => {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    return usableScore(request);
  };
}

/** Returns a behaviour that answers when the test releases it; `once` resolves at the first call. */
export function answerWhenReleased(): { behaviour: Behaviour; once: Promise<void>; tell(): void } {
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

/** Waits without answering, until the call is aborted. */
export const hang: Behaviour = (_request, signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

export const refuse: Behaviour = async () => {
  throw new Error('the stand-in refuses');
};

/** Creates a scoring backend that the test controls; by default it answers at once. */
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

/** Creates a stand-in backend that scores synchronously in this process; `calls` are only its asynchronous calls. */
export function createSyncStandIn(
  scoreSync: (request: ScoreRequest) => unknown = usableScoreOf,
): StandInBackend {
  return { ...createStandIn(), scoreSync: (request) => scoreSync(request) as BackendScore };
}

function usableScoreOf(request: ScoreRequest): BackendScore {
  return usableScore(request);
}
