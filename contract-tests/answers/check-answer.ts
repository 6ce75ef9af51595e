import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expressionOf } from '../../server/src/platform/http/contract/validation.ts';
import { at, contract } from '../contract-examples.ts';
import type { DocumentedAnswer, DocumentedOperation } from './documented-answers.ts';

/** An answer as received, before it is parsed. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

const ajv = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allErrors: true,
  // Compiles patterns as the server does, because the server is stricter than some patterns of the contract.
  code: { regExp: expressionOf },
});
addFormats.default(ajv);
ajv.addVocabulary(Object.keys(contract)); // the document itself is no schema: its own keys are let through
ajv.addSchema(contract, 'contract', undefined, false);

/** Documented headers that an answer may lack; all others are required. */
const OPTIONAL_HEADERS = ['link', 'idempotent-replayed'];

/** Lists where an answer breaks the contract, one sentence each; the list is empty if the answer conforms. */
export function problemsOf(operation: DocumentedOperation, answer: ReceivedAnswer): string[] {
  const documented = operation.answers.get(answer.status);
  if (!documented)
    return [`the status ${answer.status} is not documented; the body is ${answer.body.slice(0, 500)}`];
  const headers = [...documented.headers].flatMap(([name, schema]) => problemsOfHeader(name, schema, answer));
  return [...headers, ...problemsOfBody(documented.body, answer)];
}

function problemsOfHeader(name: string, schema: string, { status, headers }: ReceivedAnswer): string[] {
  const text = headers.get(name);
  if (text !== null) return problemsOfValue(`header ${name}`, schema, valueOfText(text, schema));
  // Only the 409 for a call in progress has Retry-After. The 409 for an ambiguous subject has none.
  const isOptional = OPTIONAL_HEADERS.includes(name) || (name === 'retry-after' && status === 409);
  return isOptional ? [] : [`the header ${name} is missing`];
}

function problemsOfBody(documented: DocumentedAnswer['body'], { headers, body }: ReceivedAnswer): string[] {
  if (documented === null) return body === '' ? [] : ['there is a body where none is documented'];
  const type = headers.get('content-type') ?? 'none';
  if (type.split(';')[0] !== documented.type) return [`the content type is ${type}`];
  if (documented.type !== 'application/json') return problemsOfValue('body', documented.schema, body);
  try {
    return problemsOfValue('body', documented.schema, JSON.parse(body));
  } catch {
    return [`the body is not JSON: ${body.slice(0, 200)}`];
  }
}

/** Lists where a value breaks the schema at the pointer `schema` of the contract. */
export function problemsOfValue(place: string, schema: string, value: unknown): string[] {
  const validate = ajv.getSchema(`contract${schema}`) as ValidateFunction | undefined;
  if (!validate) throw new Error(`${schema} is no schema of the contract`);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${place}${instancePath} ${message}`);
}

/** Converts the text of a header or parameter to the value that it represents. */
export function valueOfText(text: string, schema: string): unknown {
  switch (at(schema).node.type) {
    case 'integer':
    case 'number':
      return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' || (text === 'false' ? false : text);
    default:
      return text;
  }
}
