import type { Observation } from '../answers/observed-fetch.ts';
import { startMockTarget } from './mock/mock-target.ts';
import { startServerTarget } from './server/server-target.ts';
import type { StateName, States } from './states.ts';

/** Running server or mock, whose answers are checked against the contract. */
export interface Target {
  /** Sets up a state. */
  given<Name extends StateName>(state: Name): Promise<States[Name]>;
  /** Undoes changes of states that affect all tests, such as a backend that fails. */
  restore(): Promise<void>;
  stop(): Promise<void>;
}

export type StartTarget = (observe: (observation: Observation) => void) => Promise<Target>;

/** Targets that every operation is tested on. */
export const TARGETS: readonly { readonly name: 'server' | 'mock'; readonly start: StartTarget }[] = [
  { name: 'server', start: startServerTarget },
  { name: 'mock', start: startMockTarget },
];
