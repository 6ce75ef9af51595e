import { errorOfAnswer } from './error-of-answer.ts';
import { type CallTrace, traceOf } from './errors.ts';
import type { Send } from './send.ts';
import type { CallOptions, Fetch } from './settings.ts';
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

/** Builds a request, has it sent and answers what came back as text, as `request` of openapi-fetch does. */
export type Requester = (
  method: Method,
  path: string,
  init: {
    params: { path?: Record<string, string>; query?: object };
    body?: unknown;
    fetch: Fetch;
    parseAs: 'text';
  },
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** Binds calls to what builds and what sends requests. */
export function createCall(request: Requester, send: Send): Call {
  const answerOf = async (
    method: Method,
    path: string,
    expects: string,
    { body, ...params }: { path?: Record<string, string>; query?: object; body?: unknown },
    options?: CallOptions,
    idempotencyKey?: string,
  ): Promise<Answer<unknown>> => {
    const trace = traceOf(idempotencyKey);
    requireSegments(params.path);
    const fetch: Fetch = (built) => send(built, options, trace);
    const {
      data: text,
      error,
      response,
    } = await request(method, path, { params, body, fetch, parseAs: 'text' });
    const data = parsed(text ?? error);
    if (!response.ok || (expects && !Object(data)[expects])) throw errorOfAnswer(response, data, trace);
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

/** What a text says as JSON; the value itself where it is no JSON, or parsed already. */
function parsed(value: unknown): unknown {
  try {
    return JSON.parse(value as string);
  } catch {
    return value;
  }
}

/** Throws for values that encoding can't keep in their place: empty ones, and dots, which mean "here" and "one up". */
function requireSegments(path: Record<string, string> = {}): void {
  for (const value of Object.values(path)) {
    if (/^\.*$/.test(value)) throw new TypeError(`"${value}" is no id.`);
  }
}
