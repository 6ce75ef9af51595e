import fc from 'fast-check';
import { json, type RawRequest } from '../targets/server/raw-request.ts';
import type { OperationInputs } from './operation-inputs.ts';
import { type KnownValues, validValues } from './valid-values.ts';

/** The values of a request by the names of its parameters, and its body. */
export interface RequestParts {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly header: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Generates the parts of requests that the contract allows. */
export function validParts(
  { parameters, body }: OperationInputs,
  known: KnownValues,
): fc.Arbitrary<RequestParts> {
  const valuesIn = (place: string) =>
    Object.fromEntries(
      parameters
        .filter((each) => each.in === place)
        .map(({ name, schema }) => [name, validValues(schema, known, name)]),
    );
  const required = parameters.filter((each) => each.required).map(({ name }) => name);
  return fc.record({
    path: fc.record(valuesIn('path')),
    query: someOf(valuesIn('query'), required),
    header: someOf(valuesIn('header'), required),
    body: body === null ? fc.constant(undefined) : validValues(body, known),
  });
}

/** Generates the required values, and each optional one with a probability of one half. */
function someOf(
  values: Record<string, fc.Arbitrary<unknown>>,
  required: readonly string[],
): fc.Arbitrary<Record<string, unknown>> {
  const names = Object.keys(values);
  return fc.subarray(names).chain((chosen) => {
    const present = names.filter((name) => chosen.includes(name) || required.includes(name));
    const picked = present.map((name) => [name, values[name] ?? fc.constant(undefined)] as const);
    return fc.record(Object.fromEntries(picked));
  });
}

/** Builds a request from its parts. */
export function requestOf(
  { operation }: OperationInputs,
  { path, query, header, body }: RequestParts,
): RawRequest {
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_match, name) =>
    encodeURIComponent(String(path[name])),
  );
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = given.map(([name, value]) => `${encode(name)}=${encode(String(value))}`);
  const content = body === undefined ? {} : json(body);
  const headers = { ...content.headers, ...(header as Record<string, string>) };
  const address = search.length > 0 ? `${filled}?${search.join('&')}` : filled;
  return { ...content, method: operation.method, path: address, headers };
}

const encode = (text: string) => encodeURIComponent(text);
