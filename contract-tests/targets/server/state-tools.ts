import type { ApiClient, StateMakers, StateName } from '../states.ts';
import type { ServerKind, ServerWorld } from './server-world.ts';

/** Tools to create states with. */
export interface StateTools {
  readonly world: ServerWorld;
  /** Creates a client whose answers are checked, and count as answers that the test has received. */
  clientOn(kind: ServerKind, headers?: Record<string, string>): Promise<ApiClient>;
  /** Creates a client for setting up a state; its answers do not count. */
  unseenClientOn(kind: ServerKind, headers?: Record<string, string>): Promise<ApiClient>;
}

/** Functions that set up some of the states, by name. */
export type MakersOf<Name extends StateName> = Pick<StateMakers, Name>;
