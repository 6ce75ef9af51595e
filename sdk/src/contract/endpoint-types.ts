import type { paths } from '../generated/schema.ts';

/**
 * Returns true if a write without an idempotency key can be retried after this HTTP status or this network error code.
 */
export type RepeatWrite = (status: number | undefined, code: string | undefined) => boolean;

/** HTTP methods of the contract. */
export type Method = 'get' | 'post' | 'put' | 'delete';

/** Paths of the contract with this method. */
export type PathWith<M extends Method> = {
  [Path in keyof paths]: paths[Path][M] extends { responses: unknown } ? Path : never;
}[keyof paths];

type Endpoint<M extends Method, Path extends PathWith<M>> = paths[Path][M];

type BodyIn<Content> = Content extends { content: { 'application/json': infer Body } }
  ? Body
  : Content extends { content: { 'text/csv': infer Text } }
    ? Text
    : undefined;

/** Body of a successful response: parsed JSON, the text of a CSV file, or `undefined` for a response without a body. */
export type SuccessBody<M extends Method, Path extends PathWith<M>> =
  Endpoint<M, Path> extends { responses: infer Responses }
    ? BodyIn<Responses[keyof Responses & (200 | 201 | 204)]>
    : never;

/** Input of a request to an endpoint, without the credential. */
export interface EndpointInput<M extends Method, Path extends PathWith<M>> {
  /** Value of the path parameter; no path of the contract has two. */
  path?: string;
  query?: QueryOf<M, Path> | undefined;
  body?: Fillable<BodyOf<M, Path>> | undefined;
  /** Reason not to send the call: it then rejects with a `ConfigurationError` that has this text as message. */
  refusal?: string | false;
  /** Decides whether a write without an idempotency key is retried. By default, it is not. */
  repeatWrite?: RepeatWrite;
}

/** Body before serialization: optional members may be `undefined` and are then omitted. */
type Fillable<Body> = {
  [Name in keyof Body]: Record<never, never> extends Pick<Body, Name> ? Body[Name] | undefined : Body[Name];
};

/** Query parameters of an endpoint; those that are `undefined` are omitted. */
export type QueryOf<M extends Method, Path extends PathWith<M>> =
  Endpoint<M, Path> extends { parameters: { query?: infer Query } }
    ? { [Name in keyof NonNullable<Query>]?: NonNullable<Query>[Name] | undefined }
    : never;

/** JSON body of a request to an endpoint. */
export type BodyOf<M extends Method, Path extends PathWith<M>> =
  Endpoint<M, Path> extends { requestBody?: { content: { 'application/json': infer Body } } | undefined }
    ? Body
    : never;
