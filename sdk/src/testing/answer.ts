import type { operations } from '../generated/schema.ts';

/** Endpoints by their `operationId`. */
export type Endpoint = Exclude<keyof operations, 'scoreSubject'>;

/** The JSON, or text of a file, that an endpoint answers with a status; null where it answers none. */
export type BodyOf<Name extends Endpoint, Status> = operations[Name]['responses'] extends infer Responses
  ? Status extends keyof Responses
    ? Responses[Status] extends { content: Record<never, never> }
      ? Responses[Status]['content'][keyof Responses[Status]['content']]
      : null
    : never
  : never;

/** Takes an example as it is written: its lists can't be changed. */
type Written<Value> = Value extends object ? { readonly [Name in keyof Value]: Written<Value[Name]> } : Value;

/** One answer of an endpoint, as the contract shows it. */
export interface Answer<Name extends Endpoint, Status> {
  readonly status: Status;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Written<BodyOf<Name, Status>>;
}
