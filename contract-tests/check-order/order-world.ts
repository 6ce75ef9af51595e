import type { ReceivedAnswer } from '../answers/check-answer.ts';
import { type RawRequest, sendChecked } from '../targets/server/raw-request.ts';

/** Caller in a given state, with the URL that its calls go to. */
export interface Caller {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Operation and subject of a metered call. */
export interface About {
  readonly operation: string;
  readonly subject: string;
}

/** A metered call in progress: its idempotency key is reserved, and it has no answer yet. */
interface CallUnderWay {
  /** Caller of the call. The call holds the last credits of the caller's account. */
  readonly caller: Caller;
  /** Lets the call complete and returns its answer. */
  end(): Promise<ReceivedAnswer>;
}

/**
 * Sets up the states in which the order of checks is tested. The server causes each failure by stored data, the mock by
 * the headers of the request.
 */
export interface OrderWorld {
  /** A subject that can be scored. */
  readonly good: About;
  /** Subjects that cannot be scored: an unknown one, and a name that several subjects have. */
  readonly unknown: About;
  readonly ambiguous: About;
  /** Address of a repository that is listed already. */
  readonly listed: string;
  readonly nobody: Caller;
  /** Creates a caller that may do everything and can pay. */
  account(): Promise<Caller>;
  /** Creates a caller that has only this scope. */
  withScope(scope: string): Promise<Caller>;
  revoked(): Promise<Caller>;
  /** Functions that make callers who pass every check except one. */
  readonly but: {
    /** Returns the caller after the rate limit for requests like this one is used up for the current minute. */
    outOfRequests(caller: Caller, request: RawRequest): Promise<Caller>;
    /** Returns a caller whose account has used up its rate limit with another key. */
    outOfRequestsByItsTwin(): Promise<Caller>;
    /** Returns the caller with a key whose monthly limit is used up. */
    limited(caller: Caller): Promise<Caller>;
    /** Returns the caller with no credits or free calls left. */
    empty(caller: Caller): Promise<Caller>;
    /** Returns the caller without the scope of the operation. */
    unscoped(caller: Caller): Promise<Caller>;
    /** Returns the caller in a directory that no longer has this subject. */
    without(about: About, caller: Caller): Promise<Caller>;
    /** Returns the caller while scoring fails. */
    whileScoringFails(caller: Caller): Promise<Caller>;
  };
  /** Creates another subject that can be scored. */
  another(): Promise<About>;
  /** Begins a call of an account whose balance suffices for this call only. */
  begin(body: object): Promise<CallUnderWay>;
  /** Number of requests to the scoring backend so far. */
  scored(): number;
  restore(): Promise<void>;
  stop(): Promise<void>;
}

/** Sends a request with the caller's headers, and checks the answer against the contract. */
export function sendAs({ url, headers }: Caller, request: RawRequest): Promise<ReceivedAnswer> {
  return sendChecked(url, { ...request, headers: { ...request.headers, ...headers } });
}
