import type { Tracer } from '../../platform/telemetry/open-tracer.ts';
import type { ScoreRequest, ScoringBackend } from '../scoring-backend.ts';
import { instrumentBackend } from './instrument-backend.ts';

/** Wraps a scoring backend so that each request has a span, which is passed on to the backend. */
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
      // The wrapped backend has this method if the backend has.
      scoreSync: (request: ScoreRequest) =>
        (watch(request).watched.scoreSync as NonNullable<ScoringBackend['scoreSync']>)(request),
    }),
    score(request, signal) {
      const { span, watched } = watch(request);
      return tracer.within(span, () => watched.score(request, signal));
    },
  };
}
