import type { Client } from 'openapi-fetch';
import type { components, paths } from '../../sdk/src/generated/schema.ts';
import type { BillingStates } from './billing-states.ts';
import type { ConsoleStates } from './console-states.ts';

export type ApiClient = Client<paths>;
type Schemas = components['schemas'];
export type RunBody = Schemas['RunOperationRequest'];
export type RegistrationBody = Schemas['RegisterAgentRequest'];

/** Client that calls with the credential of a state, on the server or mock that is in this state. */
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
interface Label extends Called {
  /** A text that names a subject, in any spelling. */
  readonly label: string;
}
interface Subject extends Label {
  readonly id: string;
  readonly type: string;
}
interface Scored extends Subject {
  /** Times of an older and of a newer score. */
  readonly from: string;
  readonly to: string;
}
interface Subjects extends Called {
  readonly subjects: Schemas['LookupSubjectsRequest']['subjects'];
}
interface Package extends Called {
  /** The package, with or without a version. */
  readonly named: string;
}
interface Changes extends Called {
  /** Cursor from which to read. */
  readonly cursor: string;
}
interface Run extends Called {
  readonly body: RunBody;
}
interface HeldReceipt extends Called {
  readonly ledgerId: string;
}
interface Registration extends Called {
  readonly body: RegistrationBody;
}

/** User of an example program, which creates its own client from this URL and key. */
interface Visitor {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Words to search for. */
  readonly words: string;
  /** Directory id of an entry with a descendant. */
  readonly id: string;
  /** An agent that can be scored. */
  readonly subject: string;
}

/**
 * States that a test can set up on a target, each with the data that the test then calls with. A server creates the data; a
 * mock selects the matching example.
 */
export interface States extends ConsoleStates, BillingStates {
  'a visitor with a key': Visitor;

  'an unforeseen fault': Called;
  'a database that is away': Called;
  'an address out of requests': Called;

  'a directory of agents': Called;
  'a search with a common word': Called & { readonly q: string };
  'a search without a match': Called & { readonly q: string };
  'a page that the client holds': Called & { readonly etag: string };
  'a cursor of another list': Called & { readonly cursor: string };
  'an agent of an unverified creator': Agent;
  'an agent without repository metrics': Agent;
  'an agent with packages': Agent;
  'an agent without a score': Agent;
  'a repository that collects skills': Agent;
  'an agent that the client holds': HeldAgent;
  'an id that nobody has': Agent;
  'an agent with a descendant': Agent;
  'an agent with an ancestor': Agent;
  'an agent without relatives': Agent;
  'a lineage that the client holds': HeldAgent;
  'a creator without a score': Creator;
  'a creator that the client holds': Creator & { readonly etag: string };
  'a handle that nobody has': Creator;

  'a listed subject': Subject;
  'a subject inside a repository': Subject;
  'a social account': Subject;
  'a subject without a score': Subject;
  'a subject that the client holds': Label & { readonly id: string; readonly etag: string };
  'a label that nobody has': Label;
  'a label of several subjects': Label;
  'a canonical id that nobody has': Called & { readonly id: string };
  'a signed subject': Called & { readonly id: string; readonly issuer: string };
  'a signed subject inside a repository': Called & { readonly id: string; readonly issuer: string };
  'a subject without a score to sign': Called & { readonly id: string };
  'a signature that the client holds': Called & { readonly id: string; readonly etag: string };
  'signing keys that the client holds': Called & { readonly etag: string };

  'changes on several pages': Changes;
  'a removed listing': Changes & { readonly id: string };
  'nothing new': Changes;
  'changes that the client holds': Changes & { readonly etag: string };
  'a cursor of another feed': Changes;
  'a cursor whose changes are no longer kept': Changes;
  'a score with its parts': Subject;
  'a score of a backend that names few parts': Subject;
  'a score that a cap lowers': Subject;
  'a container repository': Subject;
  'an old name of a repository': Subject;
  'an earlier score': Scored;
  'scores on several pages': Subject;
  'a subject without a score in its history': Subject;
  'a score that changed': Scored;
  'a score that has not changed': Scored;
  'scores that cannot be computed again': Scored;
  'an explanation that the client holds': Subject & { readonly etag: string };
  'a history that the client holds': Subject & { readonly etag: string };
  'a difference that the client holds': Subject & { readonly etag: string };
  'a cursor of another history': Subject & { readonly cursor: string };
  'a time before the first score': Scored;
  'times of scores in the wrong order': Scored;
  'packages of a lock file': Subjects;
  'subjects of several forms': Subjects;

  'a version of a listed package': Label & { readonly id: string };
  'a version with an advisory': Package;
  'a listed package without an advisory': Package & { readonly id: string };
  'a package of a registry whose advisories were not read': Package;
  'a package that its registry does not have': Package;
  'a package that the client holds': Package & { readonly etag: string };
  'a tag in place of a version': Package;

  'an agent that was delisted': Agent;
  'a subject that was delisted': Subject;
  'a repository that was delisted': Registration;
  'an operation on what was delisted': Run;

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
  'a listed repository of the proved owner': Registration;
  'a registration that has worked under its key': Registration & { readonly id: string };
  'a key of another registration': Registration;
  'a registration in a console session': Registration;
  'a registration in a session from another site': Registration;
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
  'a key that has reached its limit': Run;
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
  'a listed agent with a parent': Run & { readonly parentId: string };
  'a creator with a listing': Run;
  'a listed social account': Run;
  'a listed messaging account': Run;
  'an operation in a console session': Run;
  'an operation in a console session for one of its keys': Run;
  'an operation in a session that has ended': Run;
  'an operation in a session that names a paused key': Run;
  'an operation in a session that names a foreign key': Run;
  'an operation in a session from another site': Run;

  'a receipt of a settled call': HeldReceipt;
  'a receipt of a failed call': HeldReceipt;
  'a receipt of a call under way': HeldReceipt;
  'a receipt of another account': HeldReceipt;
  'receipts on several pages': Called & { readonly cursor: string };
  'an account without receipts': Called;
  'a cursor of another list of receipts': Called;
  'a key with a limit and a call': Called & { readonly id: string };
  'a reader without the scope': Called;
  'a reader without a credential': Called;
  'a reader with an unknown key': Called;
  'a reader with a revoked key': Called;
  'a reader in a session that has ended': Called;
  'a reader with a key out of requests': Called;
}

export type StateName = keyof States;
/** Functions that set up each state. */
export type StateMakers = { readonly [Name in StateName]: () => Promise<States[Name]> };
