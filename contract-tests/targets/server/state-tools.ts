import type { ApiClient, StateMakers, StateName } from '../states.ts';
import type { ServerKind, ServerWorld } from './server-world.ts';

/** Tools to create states with. */
export interface StateTools {
  readonly world: ServerWorld;
  /** A client whose answers are checked and count as seen. */
  clientOn(kind: ServerKind, headers?: Record<string, string>): Promise<ApiClient>;
  /** A client for setting a state up: what it receives counts for nothing. */
  unseenClientOn(kind: ServerKind, headers?: Record<string, string>): Promise<ApiClient>;
}

/** The makers of some of the states. */
export type MakersOf<Name extends StateName> = Pick<StateMakers, Name>;
