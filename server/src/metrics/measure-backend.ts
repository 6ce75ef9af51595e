import { watchedBackend } from '../scoring/backends/watched-backend.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import type { Meter } from './meter.ts';

/** The same backend, whose requests are counted and timed. */
export function measureBackend(backend: ScoringBackend, meter: Meter): ScoringBackend {
  let inFlight = 0;
  meter.readFrom('trust_directory_backend_in_flight', () => [{ labels: {}, value: inFlight }]);
  return watchedBackend(backend, () => {
    const startedAt = performance.now();
    inFlight += 1;
    return (outcome) => {
      inFlight -= 1;
      const seconds = (performance.now() - startedAt) / 1_000;
      meter.observe('trust_directory_backend_request_duration_seconds', { outcome }, seconds);
    };
  });
}
