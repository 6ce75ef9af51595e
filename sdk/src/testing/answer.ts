import type { operations } from '../generated/schema.ts';

/** Name of an endpoint of the service: its `operationId`. `scoreSubject` is a request that the service itself sends. */
export type Endpoint = Exclude<keyof operations, 'scoreSubject'>;

/** Response body of an endpoint for a status: JSON, the text of a file, or null without a body. */
export type BodyOf<Name extends Endpoint, Status> = operations[Name]['responses'] extends infer Responses
  ? Status extends keyof Responses
    ? Responses[Status] extends { content: Record<never, never> }
      ? Responses[Status]['content'][keyof Responses[Status]['content']]
      : null
    : never
  : never;

/** Deeply readonly form of a type, for examples written `as const`. */
type Written<Value> = Value extends object ? { readonly [Name in keyof Value]: Written<Value[Name]> } : Value;

/** Example response of an endpoint in the contract. */
export interface Answer<Name extends Endpoint, Status> {
  readonly status: Status;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Written<BodyOf<Name, Status>>;
}
