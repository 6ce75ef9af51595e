import { embeddedBackend } from '../../../server/src/scoring/embedded/embedded-backend.ts';
import {
  type Behaviour,
  createStandIn,
  type StandInBackend,
} from '../../../server/testing/stand-ins/stand-in-backend.ts';

const asEmbedded: Behaviour = (request, signal) => embeddedBackend.score(request, signal);

/** The embedded scoring backend, which a test can make fail or wait. */
export interface ControlledBackend extends Pick<StandInBackend, 'score' | 'source' | 'calls' | 'behave'> {
  /** Scores again as the embedded backend does. */
  restore(): void;
}

export function createControlledBackend(): ControlledBackend {
  const standIn = createStandIn(asEmbedded);
  return { ...standIn, source: embeddedBackend.source, restore: () => standIn.behave(asEmbedded) };
}
