import { watchedBackend } from '../scoring/backends/watched-backend.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import type { Tracer } from './open-tracer.ts';

/** The same backend; each request is a span, which it is told of. */
export function traceBackend(backend: ScoringBackend, tracer: Tracer): ScoringBackend {
  return {
    source: backend.source,
    score(request, signal) {
      const attributes = { 'server.address': backend.source, 'trust_directory.operation': request.operation };
      const span = tracer.start('score', { kind: 'CLIENT', attributes });
      const watched = watchedBackend(backend, () => (outcome) => {
        span.setAttribute('trust_directory.outcome', outcome);
        tracer.end(span, outcome !== 'answered');
      });
      return tracer.within(span, () => watched.score(request, signal));
    },
  };
}
