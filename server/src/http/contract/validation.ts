import { createHash } from 'node:crypto';
import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../../domain-error.ts';
import { nameSome, printable } from '../../name-some.ts';
import { malformedEscape } from '../malformed-escape.ts';
import type { Contract } from './contract.ts';
import { expressionOf } from './contract-patterns.ts';

/** Compiles a schema once, however many routes and servers of this process have it. */
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
 * What judges a part of a request by its schema. A body is taken as it is (no type is coerced, no unknown field dropped);
 * query and path are text and so are coerced. Throws where the schema cannot be used.
 */
export function validatorOf(part: string, schema: unknown): ValidateFunction {
  return part === 'body' ? compileBody(schema) : compileRest(schema);
}

/**
 * Validation as the contract says it. Answers go out as they are, so that additive fields and values pass. Of a contract
 * that the build has judged, a schema is compiled when the first request comes for it, else at once.
 */
export function useContractValidation(app: FastifyInstance, { routes }: Pick<Contract, 'routes'>): void {
  const isJudged = routes !== null;
  app.setValidatorCompiler(({ schema, httpPart = '' }) => {
    const compile = () => validatorOf(httpPart, schema);
    return isJudged ? whenAsked(compile) : compile();
  });
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
}

/** A validator that is compiled when it is first called. Like every one of them it keeps what is wrong on itself. */
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

/** What the text of a query parameter may look like; the validator's own coercion takes ` 5`, `0x10` and `1e400` too. */
const TEXT_FORMS: Record<string, { form: RegExp; name: string }> = {
  integer: { form: /^-?\d{1,15}$/, name: 'a whole number' },
  boolean: { form: /^(true|false)$/, name: 'true or false' },
};

/** A query as it came: text by its names. */
export interface ShapedRequest {
  Querystring: Readonly<Record<string, unknown>>;
}

/**
 * Refuses what the schemas cannot say: a body that is no JSON object, text that is not well-formed Unicode, malformed
 * escapes, query parameters that the operation does not take or whose text is not of their type.
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
    throw invalid(`Unknown query parameter ${nameSome(unknown)}. ${allowed}`);
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
  // One level is enough: the contract's bodies hold text and lists of text, and what is deeper fails validation.
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
