import fc from 'fast-check';
import { at } from '../contract-examples.ts';
import type { RawRequest } from '../targets/server/raw-request.ts';
import type { InputParameter, OperationInputs } from './operation-inputs.ts';
import { type RequestParts, requestOf, validParts } from './valid-requests.ts';
import { fits, type KnownValues } from './valid-values.ts';

/** A request that breaks the contract in one place, with a description of the breach. */
export interface BrokenRequest {
  readonly breach: string;
  readonly request: RawRequest;
}

/** Generates requests that are allowed except for one breach. */
export function brokenRequests(inputs: OperationInputs, known: KnownValues): fc.Arbitrary<BrokenRequest> {
  const { parameters, body } = inputs;
  const breaches = [
    unknownParameter(parameters),
    ...parameters.filter((each) => each.in !== 'header').map(brokenParameter),
    ...parameters.filter((each) => each.in === 'query' && each.required).map(missingParameter),
    ...(body === null ? [] : brokenParts(body)),
  ];
  const wholeBodies = body === null ? [] : [brokenText(inputs, known)];
  const inParts = fc.oneof(...breaches).chain((breach) =>
    validParts(inputs, known).map((parts) => ({
      breach: breach.name,
      request: requestOf(inputs, breach.into(withoutReservedChannel(parts))),
    })),
  );
  return fc.oneof({ arbitrary: inParts, weight: breaches.length }, ...wholeBodies);
}

/** One breach of the contract, and a function that adds it to the parts of a valid request. */
interface Breach {
  readonly name: string;
  into(parts: RequestParts): RequestParts;
}

/** Replaces the reserved channel, for which the server answers 501 before it checks the operation. */
function withoutReservedChannel(parts: RequestParts): RequestParts {
  const body = parts.body as { channel?: unknown } | undefined;
  return body?.channel === 'mcp' ? { ...parts, body: { ...body, channel: 'api' } } : parts;
}

/** Texts of every kind: words, numbers in odd spellings, control characters, other scripts. */
const texts: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme-ascii', minLength: 200, maxLength: 1_100 }),
  fc.double().map(String),
  fc.constantFrom(
    'null',
    'undefined',
    'TRUE',
    '0x10',
    '1e1',
    ' 5',
    '٣',
    '\u0000',
    '[]',
    '{}',
    "' OR 1=1 --",
    '%',
    '..',
  ),
);

/** Checks whether a text represents a value that the schema of a path or query parameter allows. */
function textFits(schema: string, text: string): boolean {
  switch (at(schema).node.type) {
    case 'integer':
      return /^-?\d+$/.test(text) && fits(schema, Number(text));
    case 'boolean':
      return text === 'true' || text === 'false';
    default:
      return fits(schema, text);
  }
}

function brokenParameter({ name, in: place, schema }: InputParameter): fc.Arbitrary<Breach> {
  const wrong = texts.filter((text) => !textFits(schema, text));
  // Exclude empty path parameters, which make another path, and those of 1,025 or more characters, which are a 414.
  const usable =
    place === 'path'
      ? wrong.filter((text) => text !== '' && encodeURIComponent(text).length <= 1_000)
      : wrong;
  return usable.map((text) => ({
    name: `${place} parameter ${name}: ${JSON.stringify(text)}`,
    into: (parts) => ({ ...parts, [place]: { ...parts[place as 'query'], [name]: text } }),
  }));
}

function missingParameter({ name }: InputParameter): fc.Arbitrary<Breach> {
  return fc.constant({
    name: `no query parameter ${name}`,
    into: (parts) => ({ ...parts, query: { ...parts.query, [name]: undefined } }),
  });
}

function unknownParameter(parameters: readonly InputParameter[]): fc.Arbitrary<Breach> {
  const names = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  return fc
    .tuple(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
    )
    .filter(([name]) => !names.includes(name))
    .map(([name, value]) => ({
      name: `unknown parameter ${JSON.stringify(name)}`,
      into: (parts) => ({ ...parts, query: { ...parts.query, [name]: value } }),
    }));
}

const values = fc.oneof(fc.jsonValue({ maxDepth: 3 }), texts);

function brokenParts(schema: string): fc.Arbitrary<Breach>[] {
  const { node } = at(schema);
  const fields = Object.keys(node.properties as object);
  const withBody = (name: string, change: (body: object) => unknown): Breach => ({
    name,
    into: (parts) => ({ ...parts, body: change(parts.body as object) }),
  });
  const wrong = fields.map((field) =>
    values
      .filter((value) => !fits(`${schema}/properties/${field}`, value))
      .map((value) => withBody(`field ${field}`, (body) => ({ ...body, [field]: value }))),
  );
  const missing = ((node.required ?? []) as string[]).map((field) =>
    fc.constant(withBody(`no ${field}`, (body) => ({ ...body, [field]: undefined }))),
  );
  const extra = fc
    .tuple(fc.string({ unit: 'binary', maxLength: 20 }), fc.jsonValue())
    .filter(([name]) => !fields.includes(name))
    .map(([name, value]) =>
      withBody(`unknown field ${JSON.stringify(name)}`, (body) => ({ ...body, [name]: value })),
    );
  const other = values
    .filter((value) => !fits(schema, value))
    .map((value) => withBody('another body', () => value));
  return [...wrong, ...missing, extra, other];
}

/** Generates valid bodies that are cut off or have an extra character, so that they are not JSON. */
function brokenText(inputs: OperationInputs, known: KnownValues): fc.Arbitrary<BrokenRequest> {
  return fc
    .tuple(validParts(inputs, known), fc.nat(), fc.constantFrom('', '}', ',', '"', '\u0000', 'x'))
    .map(([parts, cut, more]) => {
      const request = requestOf(inputs, parts);
      const text = String(request.body);
      return { ...request, body: text.slice(0, cut % text.length) + more };
    })
    .filter(({ body }) => !isJson(body))
    .map((request) => ({ breach: 'broken JSON', request }));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
