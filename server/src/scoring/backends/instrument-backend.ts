import type { Meter } from '../../platform/telemetry/meter.ts';
import type { Tracer } from '../../platform/telemetry/open-tracer.ts';
import type { ScoreRequest, ScoringBackend } from '../scoring-backend.ts';
import { BackendBusy } from './backend-reply.ts';

/** Outcome of a request to a backend; `timeout` means that the request was aborted. */
export type BackendOutcome = 'answered' | 'busy' | 'timeout' | 'failed';

/**
 * Wraps a backend and reports each request. `begin` is called at the start of a request and returns a function, which
 * is called once with the outcome. A request ends when its caller aborts it, even if the backend goes on.
 */
export function instrumentBackend(
  backend: ScoringBackend,
  begin: () => (outcome: BackendOutcome) => void,
): ScoringBackend {
  return {
    source: backend.source,
    // Passes `scoreSync` on if the backend has it. Without it, calls would be reserved and charged in two steps, as
    // for a remote backend.
    ...(backend.scoreSync && { scoreSync: watchSync(backend.scoreSync.bind(backend), begin) }),
    async score(request, signal) {
      let report: ((outcome: BackendOutcome) => void) | null = begin();
      const end = (outcome: BackendOutcome) => {
        signal.removeEventListener('abort', onAbort);
        report?.(outcome);
        report = null;
      };
      const onAbort = () => end('timeout');
      signal.addEventListener('abort', onAbort);
      try {
        const score = await backend.score(request, signal);
        end('answered');
        return score;
      } catch (error) {
        end(error instanceof BackendBusy ? 'busy' : 'failed');
        throw error;
      }
    },
  };
}

function watchSync(
  score: NonNullable<ScoringBackend['scoreSync']>,
  begin: () => (outcome: BackendOutcome) => void,
): NonNullable<ScoringBackend['scoreSync']> {
  return (request) => {
    const end = begin();
    try {
      const answer = score(request);
      end('answered');
      return answer;
    } catch (error) {
      end('failed');
      throw error;
    }
  };
}

/** Wraps a scoring backend so that its requests are counted and timed. */
export function measureBackend(backend: ScoringBackend, meter: Meter): ScoringBackend {
  let inFlight = 0;
  meter.collect('trust_directory_backend_in_flight', () => [{ labels: {}, value: inFlight }]);
  return instrumentBackend(backend, () => {
    const startedAt = performance.now();
    inFlight += 1;
    return (outcome) => {
      inFlight -= 1;
      const seconds = (performance.now() - startedAt) / 1_000;
      meter.observe('trust_directory_backend_request_duration_seconds', { outcome }, seconds);
    };
  });
}

/** Wraps a scoring backend so that each request has a span, whose trace headers are sent to the backend. */
export function traceBackend(backend: ScoringBackend, tracer: Tracer): ScoringBackend {
  const watch = ({ operation }: ScoreRequest) => {
    const attributes = { 'server.address': backend.source, 'trust_directory.operation': operation };
    const span = tracer.start('score', { kind: 'CLIENT', attributes });
    const watched = instrumentBackend(backend, () => (outcome) => {
      span.setAttribute('trust_directory.outcome', outcome);
      tracer.end(span, outcome !== 'answered');
    });
    return { span, watched };
  };
  return {
    source: backend.source,
    ...(backend.scoreSync && {
      // The result of `watch` has `scoreSync`, because `backend` has it.
      scoreSync: (request: ScoreRequest) =>
        (watch(request).watched.scoreSync as NonNullable<ScoringBackend['scoreSync']>)(request),
    }),
    score(request, signal) {
      const { span, watched } = watch(request);
      return tracer.within(span, () => watched.score(request, signal));
    },
  };
}
