import { observedFetch } from '../../answers/observed-fetch.ts';
import { clientOf } from '../client.ts';
import type { StateMakers } from '../states.ts';
import type { StartTarget } from '../target.ts';
import { billingStates } from './billing-states.ts';
import { changeStates } from './change-states.ts';
import { consoleStates } from './console-states.ts';
import { delistedStates } from './delisted-states.ts';
import { directoryStates } from './directory-states.ts';
import { failureStates } from './failure-states.ts';
import { meteredStates } from './metered-states.ts';
import { operationStates } from './operation-states.ts';
import { packageStates } from './package-states.ts';
import { receiptStates } from './receipt-states.ts';
import { registrationStates } from './registration-states.ts';
import { scoreStates } from './score-states.ts';
import { openServerWorld } from './server-world.ts';
import { subjectStates } from './subject-states.ts';

/** Starts the real server on its own database. */
export const startServerTarget: StartTarget = async (observe) => {
  const world = await openServerWorld();
  const send = observedFetch(observe);
  const tools = {
    world,
    clientOn: async (kind: Parameters<typeof world.urlOf>[0], headers: Record<string, string> = {}) =>
      clientOf(await world.urlOf(kind), send, headers),
    // Client for setting up states. Its answers do not count: only answers to calls of a test itself do.
    unseenClientOn: async (kind: Parameters<typeof world.urlOf>[0], headers: Record<string, string> = {}) =>
      clientOf(await world.urlOf(kind), fetch, headers),
  };
  const states: StateMakers = {
    ...failureStates(tools),
    ...directoryStates(tools),
    ...subjectStates(tools),
    ...scoreStates(tools),
    ...packageStates(tools),
    ...changeStates(tools),
    ...delistedStates(tools),
    ...registrationStates(tools),
    ...operationStates(tools),
    ...meteredStates(tools),
    ...receiptStates(tools),
    ...consoleStates(tools),
    ...billingStates(tools),
  };
  return { given: (state) => states[state](), restore: world.restore, stop: world.stop };
};
