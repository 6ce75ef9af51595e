import type { ApiClient } from './states.ts';

/** Client for a test in one state. It calls the server or mock in this state, with the session that the state has, if any. */
interface Called {
  readonly client: ApiClient;
}
interface Link extends Called {
  /** Id of a linked account. */
  readonly id: string;
}
interface Child extends Called {
  /** Directory id of the child. */
  readonly childId: string;
}

interface Own extends Called {
  /** Directory id of the listing. */
  readonly id: string;
}

/**
 * The situations of the console that tests request by name, each with a client that calls in it: sessions and failures, own
 * listings, linked accounts, and listings that others have built on one's own.
 */
export interface ConsoleStates {
  'a console session': Called;
  'a console request without a session': Called;
  'a console session that has ended': Called;
  'a console session from another site': Called;
  'a console session out of requests': Called;
  'a console request with an unknown parameter': Called;
  'a console session and an unforeseen fault': Called;
  'a console session while the database is away': Called;

  'linked accounts, proved and pending': Called;
  'a linked account whose code is published': Link;
  'a linked account whose code is not published': Link;
  'a linked account whose code has expired': Link;
  'a linked account on a host that is away': Link;
  'a linked account of somebody else': Link;
  'a host that cannot be read': Called;

  'an agent of one’s own': Own;
  /** The caller has two listings; `id` is the id of the newer one. */
  'agents of one’s own on several pages': Own;
  'nothing listed of one’s own': Called;
  'an agent of somebody else': Own;
  'an agent that was just to be scored': Own;
  'an agent that cannot be scored': Own;
  'a cursor of another list of one’s own agents': Called;

  'a child that waits': Child;
  'an acknowledged child': Child;
  'a child of an unverified creator': Child;
  'a child of somebody else': Child;
  'nothing built on what one has listed': Called;
  'a cursor of another list of children': Called;
}
