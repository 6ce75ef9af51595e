import { startMock } from '../../../sdk/mock/start-mock.ts';
import { observedFetch } from '../../answers/observed-fetch.ts';
import { clientOf } from '../client.ts';
import type { StateMakers } from '../states.ts';
import type { StartTarget } from '../target.ts';
import { mockStates } from './mock-states.ts';

/** Starts the mock as `npm run mock` does, on a free port. */
export const startMockTarget: StartTarget = async (observe) => {
  const mock = await startMock({ host: '127.0.0.1', port: 0 });
  const send = observedFetch(observe);
  const states: StateMakers = mockStates(mock.url, (headers) => clientOf(mock.url, send, headers));
  return {
    given: (state) => states[state](),
    restore: async () => undefined,
    stop: () => mock.close(),
  };
};
