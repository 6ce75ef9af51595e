import type {
  EndpointInput,
  Method,
  PathWith,
  RepeatWrite,
  SuccessBody,
} from '../contract/endpoint-types.ts';
import { type CallTrace, ConfigurationError } from '../errors/errors.ts';
import { buildUrl } from './build-url.ts';
import type { CallOptions } from './client-options.ts';
import { errorFromResponse, parseJson } from './response.ts';
import type { Send } from './send-request.ts';

/** Successful result with response and trace. */
export interface Answer<Body> {
  readonly data: Body;
  /** Facts about the call that this package adds, apart from the fields of the contract. */
  readonly meta: CallTrace;
  /** HTTP response; its body can be read again. */
  readonly response: Response;
}

/** Promise of a call's data. `withResponse()` also gives the response and the `meta` of the call. */
export interface ApiPromise<Body> extends Promise<Body> {
  /** Resolves to the data with the response, and with request id, attempts and duration in `meta`. */
  withResponse(): Promise<Answer<Body>>;
}

/**
 * Calls an endpoint of the contract; rejects with the errors of this package. `expects` names a member that every
 * success of the endpoint has, so that a proxy's page with status 200 is not mistaken for a success. `expects` is empty
 * if no body is expected.
 */
export type Call = <M extends Method, Path extends PathWith<M>>(
  method: M,
  path: Path,
  expects: string,
  input: EndpointInput<M, Path>,
  options?: CallOptions,
) => ApiPromise<SuccessBody<M, Path>>;

interface RequestInput {
  path?: string;
  query?: object;
  body?: { idempotency_key?: string | undefined };
  refusal?: string | false;
  repeatWrite?: RepeatWrite;
}

/** Creates the function that calls endpoints below `baseUrl`. */
export function createCall(baseUrl: string, send: Send): Call {
  const call = (
    method: Method,
    path: string,
    expects: string,
    { path: id, query, body, refusal, repeatWrite }: RequestInput,
    options?: CallOptions,
  ): ApiPromise<unknown> =>
    apiPromise(
      send(
        () => {
          if (refusal) throw new ConfigurationError(refusal);
          return {
            method: method.toUpperCase(),
            url: buildUrl(baseUrl, path, id, query),
            body: JSON.stringify(body),
          };
        },
        (exchange, trace) => {
          const { response } = exchange;
          const data = parseJson(exchange.text as string);
          if (!response.ok || (expects && !Object(data)[expects])) throw errorFromResponse(exchange);
          return { data, response, meta: { ...trace } };
        },
        options,
        body?.idempotency_key,
        repeatWrite,
      ),
    );
  // The implementation is untyped; `Call` types it by the contract for every caller.
  return call as Call;
}

/** Wraps the promise of a result as an {@link ApiPromise}. */
export function apiPromise<Body>(answer: Promise<Answer<Body>>): ApiPromise<Body> {
  const promise = answer.then(({ data }) => data);
  const withResponse = () => {
    // The caller of `withResponse` gets the rejection from `answer`; don't report it for `promise` as unhandled.
    promise.catch(() => {});
    return answer;
  };
  return Object.assign(promise, { withResponse });
}

/** Returns the body with its idempotency key, or with a random UUID if it has none. */
export const withIdempotencyKey = <Body extends { idempotency_key?: string | undefined }>({
  idempotency_key = crypto.randomUUID(),
  ...body
}: Body) => ({ ...body, idempotency_key });
