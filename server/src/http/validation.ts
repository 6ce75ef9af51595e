import { Ajv2020, type ErrorObject, type Options } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../domain-error.ts';

function compilerOf(options: Options): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
    useDefaults: true,
    removeAdditional: false,
    keywords: ['example'],
    ...options,
  });
  addFormats.default(ajv);
  return ajv;
}

/**
 * Validation as the contract says it: a body is taken as it is (no type is coerced, no unknown field dropped), query and
 * path are text and so are coerced. Answers go out as they are, so that additive fields and values pass.
 */
export function useContractValidation(app: FastifyInstance): void {
  const body = compilerOf({ coerceTypes: false });
  const rest = compilerOf({ coerceTypes: true });
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'body' ? body : rest).compile(schema as object),
  );
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
}

/** Refuses a body that is no JSON object, text that is not well-formed Unicode, and query parameters the operation does not take. */
export function checkShape(request: FastifyRequest, queryNames: readonly string[]): void {
  if (request.method === 'POST' || request.method === 'PUT') {
    const { body } = request;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new DomainError(
        'invalid_request',
        'The body must be a JSON object, sent with Content-Type: application/json.',
      );
    }
    const broken = Object.entries(body).find(([, value]) => !isWellFormed(value));
    if (broken)
      throw new DomainError(
        'invalid_request',
        `${printable(broken[0])} holds text that is not well-formed Unicode.`,
      );
  }
  const unknown = Object.keys((request.query ?? {}) as object).filter((name) => !queryNames.includes(name));
  if (unknown.length > 0) {
    const allowed =
      queryNames.length > 0 ? `Allowed: ${queryNames.join(', ')}.` : 'This endpoint takes none.';
    throw new DomainError(
      'invalid_request',
      `Unknown query parameter ${unknown.map(printable).join(', ')}. ${allowed}`,
    );
  }
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  return true;
}

/** A name taken from a request, made safe and short enough to be repeated in an answer. */
export function printable(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text.toWellFormed());
}

function placeOf(error: ErrorObject): string {
  const place = error.instancePath.slice(1).replaceAll('/', '.');
  return place === '' ? 'The request' : place;
}

/** One schema violation as a sentence: where, what is wrong, what is allowed. */
export function describeViolation(error: ErrorObject): string {
  const place = placeOf(error);
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required':
      return `${params.missingProperty} is required.`;
    case 'additionalProperties':
      return `Unknown field ${printable(String(params.additionalProperty))}.`;
    case 'enum':
      return `${place} must be one of: ${(params.allowedValues as unknown[]).join(', ')}.`;
    case 'type':
      return `${place} must be of type ${[params.type].flat().join(' or ')}.`;
    case 'pattern':
      return `${place} does not have the documented form (${params.pattern}).`;
    default:
      return `${place} ${error.message}.`;
  }
}

/** At most three violations of a request in one message. */
export function describeViolations(errors: ErrorObject[]): string {
  return [...new Set(errors.map(describeViolation))].slice(0, 3).join(' ');
}
