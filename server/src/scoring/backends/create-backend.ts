import type { Config } from '../../config/load-config.ts';
import { embeddedBackend } from '../embedded/embedded-backend.ts';
import { createHttpBackend, type OpenBackend } from './http-backend.ts';

/** The backend that the configuration names: an HTTP one, or else the embedded method. The one who makes it closes it. */
export function createScoringBackend(
  config: Pick<Config, 'scoringUrl' | 'scoringToken'>,
  traceHeaders?: () => Readonly<Record<string, string>>,
): OpenBackend {
  if (config.scoringUrl === null) return { ...embeddedBackend, close: async () => undefined };
  return createHttpBackend(config.scoringUrl, config.scoringToken ?? '', traceHeaders);
}
