import { exitWithMessage } from '../../src/platform/config/open-files.ts';
import { serve } from '../../src/serve.ts';
import {
  answer,
  answerAfter,
  type Behaviour,
  createStandIn,
  hang,
  refuse,
  usableScore,
} from './stand-in-backend.ts';

/** Message from a test to the process: the new behaviour of the stand-in scoring backend. */
export type BackendOrder =
  | { behave: 'answer' | 'hang' | 'refuse' | 'incomplete' }
  | { behave: 'answer-after'; delayMs: number };

/**
 * Message from the process to the test: the backend was called for this run, which is now between reserve and settle.
 */
export interface BackendCalled {
  calledFor: string | null;
}

function behaviourOf(order: BackendOrder): Behaviour {
  switch (order.behave) {
    case 'answer-after':
      return answerAfter(order.delayMs);
    case 'hang':
      return hang;
    case 'refuse':
      return refuse;
    case 'incomplete':
      return async (request) => usableScore(request, { status: 'incomplete' });
    default:
      return answer;
  }
}

// Runs the real server in a separate process; only the scoring backend is a stand-in.
const backend = createStandIn();
const { score } = backend;
backend.score = (request, signal) => {
  process.send?.({ calledFor: request.runId } satisfies BackendCalled);
  return score(request, signal);
};
process.on('message', (order: BackendOrder) => backend.behave(behaviourOf(order)));

await serve({ backend }).catch(exitWithMessage);
