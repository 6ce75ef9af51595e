import { observedFetch } from '../../answers/observed-fetch.ts';
import { clientOf } from '../client.ts';
import type { StateMakers } from '../states.ts';
import type { StartTarget } from '../target.ts';
import { mockStates } from './mock-states.ts';
import { sharedMock } from './shared-mock.ts';

/** Opens the mock that this worker shares. */
export const startMockTarget: StartTarget = async (observe) => {
  const mock = await sharedMock();
  const send = observedFetch(observe);
  const states: StateMakers = mockStates(mock.url, (headers) => clientOf(mock.url, send, headers));
  return {
    given: (state) => states[state](),
    restore: async () => undefined,
    stop: async () => undefined,
  };
};
