import type { Config } from '../config.ts';
import { embeddedBackend } from './embedded/embedded-backend.ts';
import { createHttpBackend } from './http-backend.ts';
import type { ScoringBackend } from './scoring-backend.ts';

/** The backend that the configuration names: an HTTP one, or else the embedded method. */
export function createScoringBackend(config: Pick<Config, 'scoringUrl' | 'scoringToken'>): ScoringBackend {
  if (config.scoringUrl === null) return embeddedBackend;
  return createHttpBackend(config.scoringUrl, config.scoringToken ?? '');
}
