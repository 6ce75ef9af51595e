import type { Meter } from '../../platform/telemetry/meter.ts';
import type { ScoringBackend } from '../scoring-backend.ts';
import { instrumentBackend } from './instrument-backend.ts';

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
