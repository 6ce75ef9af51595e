import type { paths } from '../generated/schema.ts';

/** Methods that the contract uses. */
export type Method = 'get' | 'post' | 'put' | 'delete';

/** Paths of the contract that have this method. */
export type PathWith<M extends Method> = {
  [Path in keyof paths]: paths[Path][M] extends { responses: unknown } ? Path : never;
}[keyof paths];

type Endpoint<M extends Method, Path extends PathWith<M>> = paths[Path][M];

type BodyIn<Content> = Content extends { content: { 'application/json': infer Body } }
  ? Body
  : Content extends { content: { 'text/csv': infer Text } }
    ? Text
    : undefined;

/** The body of a success, as the contract has it: JSON, or the text of a file. */
export type Success<M extends Method, Path extends PathWith<M>> =
  Endpoint<M, Path> extends { responses: infer Responses }
    ? BodyIn<Responses[keyof Responses & (200 | 201 | 204)]>
    : never;

/** Everything but the credential that a request to an endpoint can carry. */
export interface Input<M extends Method, Path extends PathWith<M>> {
  /** What stands in the one place of the path. */
  path?: string;
  query?: QueryOf<M, Path> | undefined;
  body?: Fillable<BodyOf<M, Path>> | undefined;
}

/** A body before it is written as JSON: an optional member that is `undefined` is left out. */
type Fillable<Body> = {
  [Name in keyof Body]: Record<never, never> extends Pick<Body, Name> ? Body[Name] | undefined : Body[Name];
};

/** Query parameters of an endpoint; `undefined` counts as left out. */
export type QueryOf<M extends Method, Path extends PathWith<M>> =
  Endpoint<M, Path> extends { parameters: { query?: infer Query } }
    ? { [Name in keyof NonNullable<Query>]?: NonNullable<Query>[Name] | undefined }
    : never;

/** The JSON that an endpoint takes. */
export type BodyOf<M extends Method, Path extends PathWith<M>> =
  Endpoint<M, Path> extends { requestBody?: { content: { 'application/json': infer Body } } | undefined }
    ? Body
    : never;
