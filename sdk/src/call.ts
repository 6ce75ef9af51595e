import { errorOfAnswer } from './error-of-answer.ts';
import { type CallTrace, traceOf } from './errors.ts';
import type { Send } from './send.ts';
import type { CallOptions } from './settings.ts';
import type { BuildUrl } from './urls.ts';
import type { Input, Method, PathWith, Success } from './wire.ts';

/** A success with what came along with it. */
export interface Answer<Body> extends CallTrace {
  readonly data: Body;
  /** Status and headers; its body has been read. */
  readonly response: Response;
}

/** A call under way: await it for its data, or `withResponse()` for status, headers and request id too. */
export interface ApiPromise<Body> extends Promise<Body> {
  /** The data with status, headers, request id and attempts. */
  withResponse(): Promise<Answer<Body>>;
}

/**
 * Makes one call of the contract; rejects with the errors of this package. `expects` names a member that tells the
 * endpoint's answer from anything else that a proxy may send with a 200; empty where no body is expected.
 */
export type Call = <M extends Method, Path extends PathWith<M>>(
  method: M,
  path: Path,
  expects: string,
  input: Input<M, Path>,
  options?: CallOptions,
  idempotencyKey?: string,
) => ApiPromise<Success<M, Path>>;

/** Binds calls to what builds URLs and what sends. */
export function createCall(urlOf: BuildUrl, send: Send): Call {
  const answerOf = async (
    method: Method,
    path: string,
    expects: string,
    { body, ...params }: { path?: Record<string, string>; query?: object; body?: unknown },
    options?: CallOptions,
    idempotencyKey?: string,
  ): Promise<Answer<unknown>> => {
    const trace = traceOf(idempotencyKey);
    const message = {
      method: method.toUpperCase(),
      url: urlOf(path, params),
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    };
    const exchange = await send(message, options, trace);
    const data = parsed(exchange.text);
    const response = exchange.answer;
    if (!response.ok || (expects && !Object(data)[expects])) throw errorOfAnswer(exchange, data, trace);
    return { data, response, ...trace };
  };
  // The one place where the contract's types meet the untyped request; `Call` holds them for every caller.
  return ((...call: Parameters<typeof answerOf>) => apiPromise(answerOf(...call))) as Call;
}

/** A promise of an answer's data that also offers the whole answer. */
export function apiPromise<Body>(answer: Promise<Answer<Body>>): ApiPromise<Body> {
  const promise = answer.then(({ data }) => data);
  const withResponse = () => {
    // Whoever asks for the answer handles its failure there.
    promise.catch(() => {});
    return answer;
  };
  return Object.assign(promise, { withResponse });
}

/** What a text says as JSON; the text itself where it is none, undefined where it is empty. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text || undefined;
  }
}
