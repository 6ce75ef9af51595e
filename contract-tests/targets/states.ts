import type { Client } from 'openapi-fetch';
import type { components, paths } from '../../sdk/src/generated/schema.ts';

export type ApiClient = Client<paths>;
type Schemas = components['schemas'];
export type RunBody = Schemas['RunOperationRequest'];
export type RegistrationBody = Schemas['RegisterAgentRequest'];

/** A client that makes the state's calls: with its credential, and towards where the state holds. */
interface Called {
  readonly client: ApiClient;
}
interface Agent extends Called {
  readonly id: string;
}
interface HeldAgent extends Agent {
  readonly etag: string;
}
interface Creator extends Called {
  readonly handle: string;
}
interface Run extends Called {
  readonly body: RunBody;
}
interface Registration extends Called {
  readonly body: RegistrationBody;
}

/** Someone with a client of their own. */
interface Visitor {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Words that the visitor may search for. */
  readonly words: string;
  /** Directory id of an entry with a descendant. */
  readonly id: string;
  /** An agent that can be scored. */
  readonly subject: string;
}

/**
 * What a test may ask a target to bring about, and what it then gets to call with. A server makes the data; a mock picks
 * the example that stands for it.
 */
export interface States {
  'a visitor with a key': Visitor;

  'an unforeseen fault': Called;
  'a database that is away': Called;
  'an address out of requests': Called;

  'a directory of agents': Called;
  'a search without a match': Called & { readonly q: string };
  'a page that the client holds': Called & { readonly etag: string };
  'a cursor of another list': Called & { readonly cursor: string };
  'an agent of an unverified creator': Agent;
  'an agent without repository metrics': Agent;
  'an agent without a score': Agent;
  'an agent that the client holds': HeldAgent;
  'an id that nobody bears': Agent;
  'an agent with a descendant': Agent;
  'an agent with an ancestor': Agent;
  'an agent without relatives': Agent;
  'a lineage that the client holds': HeldAgent;
  'a creator without a score': Creator;
  'a creator that the client holds': Creator & { readonly etag: string };
  'a handle that nobody bears': Creator;

  'an account that may register': Registration;
  'a repository on a host that is not allowed': Registration;
  'a parent that nobody listed': Registration;
  'a registration without a credential': Registration;
  'a registration with an unknown key': Registration;
  'a registration with an expired key': Registration;
  'a registration with a revoked key': Registration;
  'a registration with a paused key': Registration;
  'a registration without the scope': Registration;
  'a repository that is registered': Registration;
  'a registration with a key out of requests': Registration;

  'a listed agent': Run;
  'a listed skill': Run;
  'an operation that was settled before': Run;
  'an operation without a credential': Run;
  'an operation with an unknown key': Run;
  'an operation with an expired key': Run;
  'an operation with a revoked key': Run;
  'an operation with a paused key': Run;
  'an empty balance': Run;
  'an operation without the scope': Run;
  'an operation that names another key': Run;
  'a subject that nobody knows': Run;
  'a name of several subjects': Run;
  'an operation under way': Run;
  'a key that was used for another subject': Run;
  'an operation with a key out of requests': Run;
  'an address with too many failed credentials': Run;
  'an idempotency key that failed too often': Run;
  'a backend without a usable score': Run;
}

export type StateName = keyof States;
/** One way for each state to bring it about. */
export type StateMakers = { readonly [Name in StateName]: () => Promise<States[Name]> };
