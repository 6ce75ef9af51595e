import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { requireScopes } from '../../keys/key-fields.ts';
import { checkShape, describeViolations, type ShapedRequest } from './validation.ts';

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
