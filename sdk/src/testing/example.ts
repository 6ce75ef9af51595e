import { type ContractExamples, examples } from '../generated/contract-examples.ts';
import type { Answer, BodyOf, Endpoint } from './answer.ts';

/** Names of an endpoint's examples. */
export type ExampleName<Name extends Endpoint> = keyof ContractExamples[Name] & string;

/** Body type of an example. */
export type ExampleBody<Name extends Endpoint, Example extends ExampleName<Name>> =
  ContractExamples[Name][Example] extends Answer<Name, infer Status> ? BodyOf<Name, Status> : never;

/** Changes to a body at any depth; arrays are replaced as a whole. */
export type Changes<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { [Name in keyof Value]?: Changes<Value[Name]> }
    : Value;

/**
 * Returns a copy of an example body of the contract, with your changes. The names are those in `openapi.yaml` and of
 * `mocked({ example })`.
 *
 * @example
 * const agent = example('getAgent', 'verified_creator', { trustScore: 12, creator: { verified: false } });
 */
export function example<Name extends Endpoint, const Example extends ExampleName<Name>>(
  endpoint: Name,
  name: Example,
  changes?: Changes<ExampleBody<Name, Example>>,
): ExampleBody<Name, Example> {
  const { body } = findAnswer(endpoint, name);
  return merged(structuredClone(body), changes) as ExampleBody<Name, Example>;
}

/** Returns the names of an endpoint's examples in the contract's order, which begins with those of a success. */
export const exampleNames = (endpoint: Endpoint): string[] => Object.keys(examples[endpoint]);

/** Example response of any endpoint. */
type AnyAnswer = Omit<Answer<Endpoint, number>, 'body'> & { readonly body: unknown };

/** Finds an example response by name. Throws a TypeError for an unknown name. */
export function findAnswer(endpoint: Endpoint, name: string): AnyAnswer {
  const named: Readonly<Record<string, AnyAnswer>> = examples[endpoint];
  const answer = Object.hasOwn(named, name) ? named[name] : undefined;
  if (!answer)
    throw new TypeError(
      `${endpoint} has no example "${name}"; use one of ${exampleNames(endpoint).join(', ')}.`,
    );
  return answer;
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function merged(value: unknown, changes: unknown): unknown {
  if (changes === undefined) return value;
  if (!isPlain(value) || !isPlain(changes)) return changes;
  const members = Object.entries(changes).map(([name, change]) => [name, merged(value[name], change)]);
  return { ...value, ...Object.fromEntries(members) };
}
