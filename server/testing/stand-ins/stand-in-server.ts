import { exitWith } from '../../src/exit-with.ts';
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

/** What a test tells the process over its channel: how the stand-in scoring backend behaves from now on. */
export type Order =
  | { behave: 'answer' | 'hang' | 'refuse' | 'incomplete' }
  | { behave: 'answer-after'; delayMs: number };

/** What the process tells the test: the backend was called for this run, so the run is between reserve and settle. */
export interface Called {
  calledFor: string | null;
}

function behaviourOf(order: Order): Behaviour {
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

// The real server in a process of its own; only the scoring backend is a stand-in.
const backend = createStandIn();
const { score } = backend;
backend.score = (request, signal) => {
  process.send?.({ calledFor: request.runId } satisfies Called);
  return score(request, signal);
};
process.on('message', (order: Order) => backend.behave(behaviourOf(order)));

await serve({ backend }).catch(exitWith);
