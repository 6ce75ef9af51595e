import { BackendBusy } from '../scoring/backends/backend-busy.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import type { Meter } from './meter.ts';

/** The same backend, whose requests are counted and timed. One that its caller gave up on ends there. */
export function measureBackend(backend: ScoringBackend, meter: Meter): ScoringBackend {
  let inFlight = 0;
  meter.readFrom('trust_directory_backend_in_flight', () => [{ labels: {}, value: inFlight }]);
  return {
    source: backend.source,
    async score(request, signal) {
      const startedAt = performance.now();
      inFlight += 1;
      let isOver = false;
      const end = (outcome: string) => {
        if (isOver) return;
        isOver = true;
        inFlight -= 1;
        signal.removeEventListener('abort', giveUp);
        const seconds = (performance.now() - startedAt) / 1_000;
        meter.observe('trust_directory_backend_request_duration_seconds', { outcome }, seconds);
      };
      const giveUp = () => end('timeout');
      signal.addEventListener('abort', giveUp);
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
