import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { requireScopes } from '../../../access/keys/key-fields.ts';
import { describeViolations, PATTERN_WORDS } from './describe-violations.ts';
import { loadContract } from './parse-contract.ts';
import { createRoutes } from './prepare-contract.ts';
import { checkShape, type ShapedRequest, validatorOf } from './validation.ts';

type Request = FastifyRequest<ShapedRequest>;

const NAMES = Array.from({ length: 500 }, (_, index) => `unknown-${index}`);
const named = (text: string) => text.match(/unknown-\d+/g)?.length ?? 0;

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

describe('a refusal names at most ten', () => {
  it('unknown query parameters, and says how many more there are', () => {
    const query = Object.fromEntries(NAMES.map((name) => [name, '1']));
    const request = { query, raw: { url: '/' }, routeOptions: { config: {} } } as unknown as Request;

    const message = messageOf(() => checkShape(request, { limit: 'integer', q: 'string' }));

    expect(named(message)).toBe(10);
    expect(message).toContain('"unknown-9" and 490 more. Allowed: limit, q.');
  });

  it('unknown fields of a body', () => {
    const violation = { keyword: 'additionalProperties', instancePath: '', schemaPath: '' };
    const errors = NAMES.map((additionalProperty) => ({ ...violation, params: { additionalProperty } }));

    expect(named(describeViolations(errors))).toBeLessThanOrEqual(10);
    expect(describeViolations(errors)).toMatch(/^Unknown field "unknown-0"\. .* 495 more problems\.$/);
    expect(describeViolations(errors.slice(0, 5))).not.toContain('more');
    expect(describeViolations(errors.slice(0, 6))).toMatch(/ 1 more problem\.$/);
  });

  it('unknown scopes of a key', () => {
    expect(named(messageOf(() => requireScopes(NAMES)))).toBe(10);
  });
});

/** Lists all patterns in a schema. */
function patternsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = Object.entries(schema).flatMap(([name, value]) =>
    name === 'pattern' && typeof value === 'string' ? [value] : patternsIn(value),
  );
  return own;
}

describe('a refusal', () => {
  it('has words for every pattern that a request may break, and for no other', async () => {
    const routes = await createRoutes(loadContract().document);
    const asked = routes.flatMap(({ schema }) => patternsIn(schema));

    expect(asked.length).toBeGreaterThan(10);
    expect(Object.keys(PATTERN_WORDS).sort()).toEqual([...new Set(asked)].sort());
  });

  it.each([
    [{ type: 'string', minLength: 1, pattern: '^[a-z]+$' }, '', 'it must not be empty.'],
    [{ type: 'string', maxLength: 3 }, 'four', 'it must have at most 3 characters.'],
    [{ type: 'integer', minimum: 1, maximum: 100 }, 0, 'it must be at least 1.'],
    [{ type: 'integer', minimum: 1, maximum: 100 }, 101, 'it must be at most 100.'],
    [{ type: 'array', minItems: 1, items: { type: 'string' } }, [], 'it must not be empty.'],
    [
      { type: 'string', pattern: '^AGT-[0-9A-Za-z]{8}$' },
      'x',
      'it must be AGT- and eight letters or digits, such as AGT-7K2MQ9XD.',
    ],
    [
      { type: 'string', format: 'uuid', pattern: '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' },
      'x',
      'it must be a UUID, such as 01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47.',
    ],
  ])('says of %j what is allowed, once', (schema, value, sentence) => {
    const validate = validatorOf('body', { type: 'object', properties: { it: schema } });

    expect(validate({ it: value })).toBe(false);
    expect(describeViolations(validate.errors as never)).toBe(sentence);
  });

  it('says of a parameter that came twice that it may come once', () => {
    const request = {
      query: { q: ['a', 'b'] },
      raw: { url: '/' },
      routeOptions: { config: {} },
    } as unknown as Request;

    expect(messageOf(() => checkShape(request, { q: 'string' }))).toBe('q may be given once.');
  });
});
