import { createHash } from 'node:crypto';
import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../../errors/domain-error.ts';
import { listNames, NAME_PATTERN, printable } from '../../text/request-text.ts';
import { malformedEscape } from '../redirect-paths.ts';
import type { Contract } from './contract.ts';

/** Control characters, as part of a character class. */
const CONTROL = '\\u0000-\\u001F\\u007F-\\u009F';

/**
 * Characters that `\\s` matches in JavaScript, except control characters. In other languages `\\s` matches fewer
 * characters.
 */
const SPACES = ' \\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000\\uFEFF';

/** SPACES and other invisible characters of the Basic Multilingual Plane. */
const BLANKS =
  ' \\u00A0\\u00AD\\u034F\\u115F\\u1160\\u1680\\u180E\\u2000-\\u200D\\u2028\\u2029\\u202F\\u205F-\\u2064\\u2800\\u3000\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0';

/** Control characters and those that change the text direction. */
const TURNS = `${CONTROL}\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069`;

/** Pattern for non-blank text, as written in the contract. */
export const NOT_BLANK = `^[${SPACES}]*[^${CONTROL}${SPACES}][^${CONTROL}]*$`;

/** Pattern for the name of a subject, as written in the contract: not blank, surrounding spaces allowed. */
export const SUBJECT = `^[${SPACES}]*[^${CONTROL}${SPACES}](?:[^${CONTROL}]*[^${CONTROL}${SPACES}])?[${SPACES}]*$`;

/** Pattern for a name or tag, as written in the contract. */
export const NAME = `^[${BLANKS}]*[^${TURNS}${BLANKS}][^${TURNS}]*$`;

/**
 * Stricter patterns that the service uses instead of the contract's, which must work in every language: a name needs a
 * visible character, and a subject has at most 512 characters without surrounding spaces. They require the flag `u`.
 */
export const FULL_PATTERNS: Readonly<Record<string, string>> = {
  [NAME]: NAME_PATTERN,
  [SUBJECT]: `^(?!\\s*$)(?!\\s*\\S[\\s\\S]{511,}\\S)[^${CONTROL}]+$`,
};

/**
 * Compiles a pattern of the contract, or its stricter version if there is one. For the validator's option
 * `code.regExp`.
 */
export function expressionOf(pattern: string, flags: string): RegExp {
  return new RegExp(FULL_PATTERNS[pattern] ?? pattern, flags);
}

/** Name of this function in code that the validator generates. */
expressionOf.code = 'expressionOf';

/** Creates a compiler that compiles each schema once per process. */
function compilerOf(options: Options): (schema: unknown) => ValidateFunction {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
    useDefaults: true,
    removeAdditional: false,
    keywords: ['example'],
    code: { regExp: expressionOf },
    ...options,
  });
  addFormats.default(ajv);
  const compiled = new Map<string, ValidateFunction>();
  return (schema) => {
    const text = createHash('sha256').update(JSON.stringify(schema)).digest('base64');
    const validate = compiled.get(text) ?? ajv.compile(schema as object);
    compiled.set(text, validate);
    return validate;
  };
}

const compileBody = compilerOf({ coerceTypes: false });
const compileRest = compilerOf({ coerceTypes: true });

/**
 * Returns the validator of a part of a request. Bodies are strict: no value is converted, and unknown fields are not
 * dropped. Query and path are text, so their values are converted. Throws if the schema is unusable.
 */
export function validatorOf(part: string, schema: unknown): ValidateFunction {
  return part === 'body' ? compileBody(schema) : compileRest(schema);
}

/**
 * Validates requests by the contract. Responses are not validated, so that added fields and values pass. If the build
 * has validated the contract, its schemas are compiled on first use, otherwise immediately.
 */
export function useContractValidation(app: FastifyInstance, { routes }: Pick<Contract, 'routes'>): void {
  const isJudged = routes !== null;
  app.setValidatorCompiler(({ schema, httpPart = '' }) => {
    const compile = () => validatorOf(httpPart, schema);
    return isJudged ? whenAsked(compile) : compile();
  });
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
}

/**
 * Creates a validator that compiles its schema on the first call. Like every validator, it stores the errors of its
 * last call as its own property.
 */
function whenAsked(compile: () => ValidateFunction) {
  let validate: ValidateFunction | undefined;
  const judge = (data: unknown): boolean => {
    validate ??= compile();
    const isValid = validate(data);
    judge.errors = validate.errors ?? null;
    return isValid;
  };
  judge.errors = null as ErrorObject[] | null;
  return judge;
}

/**
 * Allowed text of query parameters by type. It excludes texts that the validator's conversion would accept, such as
 * ` 5`, `0x10` and `1e400`.
 */
const TEXT_FORMS: Record<string, { form: RegExp; name: string }> = {
  integer: { form: /^-?\d{1,15}$/, name: 'a whole number' },
  boolean: { form: /^(true|false)$/, name: 'true or false' },
};

/** Type of a request before validation: its query parameters by name. */
export interface ShapedRequest {
  Querystring: Readonly<Record<string, unknown>>;
}

/**
 * Rejects what schemas cannot express: a body that is no JSON object, text that is not well-formed Unicode, malformed
 * escapes, unknown query parameters, and parameters whose text does not fit their type.
 */
export function checkShape(
  request: FastifyRequest<ShapedRequest>,
  query: Readonly<Record<string, string>>,
): void {
  if (request.routeOptions.config.takesBody) checkBody(request.body);
  checkEscapes(request.raw.url ?? '');
  const given = request.query;
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(query, name));
  if (unknown.length > 0) {
    const names = Object.keys(query);
    const allowed = names.length > 0 ? `Allowed: ${names.join(', ')}.` : 'This endpoint takes none.';
    throw invalid(`Unknown query parameter ${listNames(unknown)}. ${allowed}`);
  }
  for (const [name, value] of Object.entries(given)) {
    if (Array.isArray(value)) throw invalid(`${name} may be given once.`);
    const expected = TEXT_FORMS[query[name] ?? ''];
    if (expected && !(typeof value === 'string' && expected.form.test(value))) {
      throw invalid(`${name} must be ${expected.name}.`);
    }
  }
}

function invalid(message: string): DomainError {
  return new DomainError('invalid_request', message);
}

function checkBody(body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid('The body must be a JSON object, sent with Content-Type: application/json.');
  }
  // One level is enough: the contract's bodies contain texts and lists of texts, and deeper values fail validation.
  const broken = Object.entries(body).find(([, value]) => ![value].flat().every(isWellFormed));
  if (broken) throw invalid(`${printable(broken[0])} holds text that is not well-formed Unicode.`);
}

function checkEscapes(url: string): void {
  try {
    decodeURIComponent(url.slice(url.indexOf('?') + 1));
  } catch {
    throw malformedEscape();
  }
}

function isWellFormed(value: unknown): boolean {
  return typeof value !== 'string' || value.isWellFormed();
}
