import type { ReceivedAnswer } from '../answers/check-answer.ts';
import { type RawRequest, sendChecked } from '../targets/server/raw-request.ts';

/** Somebody who calls, in some standing, and where their calls go. */
export interface Caller {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Which subject a metered call is about. */
export interface About {
  readonly operation: string;
  readonly subject: string;
}

/** A metered call that has its key and is not answered yet. */
interface CallUnderWay {
  /** Its caller, with nothing left beside what the call holds. */
  readonly caller: Caller;
  /** Lets it end. */
  end(): Promise<ReceivedAnswer>;
}

/**
 * What the order of checks is tried on. Each way to be wrong is brought about as the target knows it: on the server by
 * what is stored, on the mock by what is asked of it.
 */
export interface OrderWorld {
  /** A subject that can be scored. */
  readonly good: About;
  /** Subjects that cannot: nobody's, and a name of several. */
  readonly unknown: About;
  readonly ambiguous: About;
  /** Address of a repository that is listed already. */
  readonly listed: string;
  readonly nobody: Caller;
  /** May do everything, and can pay. */
  account(): Promise<Caller>;
  /** May do only what has this scope. */
  withScope(scope: string): Promise<Caller>;
  revoked(): Promise<Caller>;
  /** The same caller, but … */
  readonly but: {
    /** … with no request like this one left in this minute. */
    outOfRequests(caller: Caller, request: RawRequest): Promise<Caller>;
    /** … with none left for its account, whose other key made them. */
    outOfRequestsByItsTwin(): Promise<Caller>;
    /** … with nothing left to pay with. */
    empty(caller: Caller): Promise<Caller>;
    /** … without the scope of the operation. */
    unscoped(caller: Caller): Promise<Caller>;
    /** … in a directory that does not have this subject any more. */
    without(about: About, caller: Caller): Promise<Caller>;
    /** … while scoring fails. */
    whileScoringFails(caller: Caller): Promise<Caller>;
  };
  /** A subject of its own, which can be scored. */
  another(): Promise<About>;
  /** Begins a call of an account that can pay for it and for nothing else. */
  begin(body: object): Promise<CallUnderWay>;
  /** Whether the scoring backend was asked since. */
  scored(): number;
  restore(): Promise<void>;
  stop(): Promise<void>;
}

/** Sends a request in somebody's name, and checks the answer by the contract. */
export function sendAs({ url, headers }: Caller, request: RawRequest): Promise<ReceivedAnswer> {
  return sendChecked(url, { ...request, headers: { ...request.headers, ...headers } });
}
