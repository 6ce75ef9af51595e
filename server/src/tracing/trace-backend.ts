import { watchedBackend } from '../scoring/backends/watched-backend.ts';
import type { ScoreRequest, ScoringBackend } from '../scoring/scoring-backend.ts';
import type { Tracer } from './open-tracer.ts';

/** The same backend; each request is a span, which it is told of. */
export function traceBackend(backend: ScoringBackend, tracer: Tracer): ScoringBackend {
  const watch = ({ operation }: ScoreRequest) => {
    const attributes = { 'server.address': backend.source, 'trust_directory.operation': operation };
    const span = tracer.start('score', { kind: 'CLIENT', attributes });
    const watched = watchedBackend(backend, () => (outcome) => {
      span.setAttribute('trust_directory.outcome', outcome);
      tracer.end(span, outcome !== 'answered');
    });
    return { span, watched };
  };
  return {
    source: backend.source,
    ...(backend.scoreAtOnce && {
      // What is watched has it where the backend does.
      scoreAtOnce: (request: ScoreRequest) =>
        (watch(request).watched.scoreAtOnce as NonNullable<ScoringBackend['scoreAtOnce']>)(request),
    }),
    score(request, signal) {
      const { span, watched } = watch(request);
      return tracer.within(span, () => watched.score(request, signal));
    },
  };
}
