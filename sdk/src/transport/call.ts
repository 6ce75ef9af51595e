import type { Input, Method, PathWith, Success } from '../contract/wire.ts';
import { type CallTrace, type Trace, traceOf } from '../errors/errors.ts';
import { errorOfAnswer, parsed } from './error-of-answer.ts';
import { readable } from './exchange.ts';
import type { Send } from './send.ts';
import type { CallOptions } from './settings.ts';
import { urlOf } from './urls.ts';

/** A success with everything that came with it. */
export interface Answer<Body> extends CallTrace {
  readonly data: Body;
  /** Status, headers, and the body once more. */
  readonly response: Response;
}

/** A running call: await it for its data, or `withResponse()` for status, headers and request id too. */
export interface ApiPromise<Body> extends Promise<Body> {
  /** The data with status, headers, request id and attempts. */
  withResponse(): Promise<Answer<Body>>;
}

/**
 * Makes one call of the contract; rejects with the errors of this package. `expects` names a member by which the
 * endpoint's answer differs from anything that a proxy may send with a 200; empty where no body is expected. `input` may be
 * a function that refuses what it was given by throwing a `ConfigurationError`.
 */
export type Call = <M extends Method, Path extends PathWith<M>>(
  method: M,
  path: Path,
  expects: string,
  input: Input<M, Path> | ((trace: Trace) => Input<M, Path>),
  options?: CallOptions,
  idempotencyKey?: string,
) => ApiPromise<Success<M, Path>>;

interface RequestInput {
  path?: string;
  query?: object;
  body?: object | undefined;
}

/** Binds calls to where the service answers and what sends. */
export function createCall(baseUrl: string, send: Send): Call {
  const answerOf = async (
    method: Method,
    path: string,
    expects: string,
    input: RequestInput | ((trace: Trace) => RequestInput),
    options?: CallOptions,
    idempotencyKey?: string,
  ): Promise<Answer<unknown>> =>
    send(
      (trace) => {
        const { body, path: place, query } = typeof input === 'function' ? input(trace) : input;
        return {
          method,
          url: urlOf(baseUrl, path, place, query),
          ...(body && { body: JSON.stringify(body) }),
        };
      },
      (exchange, trace) => {
        const data = parsed(exchange.text as string);
        if (!exchange.answer.ok || (expects && !Object(data)[expects])) throw errorOfAnswer(exchange, trace);
        return { data, response: readable(exchange), ...trace };
      },
      options,
      traceOf(idempotencyKey),
    );
  // The one place where the contract's types meet the untyped request; `Call` holds them for every caller.
  return ((...call: Parameters<typeof answerOf>) => apiPromise(answerOf(...call))) as Call;
}

/** A promise of an answer's data that also offers the whole answer. */
export function apiPromise<Body>(answer: Promise<Answer<Body>>): ApiPromise<Body> {
  const promise = answer.then(({ data }) => data);
  const withResponse = () => {
    // The caller who asks for the answer handles its failure there.
    promise.catch(() => {});
    return answer;
  };
  return Object.assign(promise, { withResponse });
}
