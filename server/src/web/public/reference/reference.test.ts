import { describe, expect, it } from 'vitest';
import { ERROR_STATUS, type ErrorCode } from '../../../platform/errors/domain-error.ts';
import { loadContract } from '../../../platform/http/contract/parse-contract.ts';
import { formatJson } from './code-samples.ts';
import { listFields } from './list-fields.ts';
import { readReference } from './reference.ts';

const contract = loadContract();
const reference = readReference(contract);

describe('error codes', () => {
  it('are explained for each code of the contract, and for no other', () => {
    const { schemas } = contract.document.components as unknown as {
      schemas: Record<string, { enum: string[] }>;
    };
    const known = [...(schemas.DirectoryErrorCode?.enum ?? []), ...(schemas.OperationErrorCode?.enum ?? [])];

    expect(reference.errors.map(({ code }) => code).sort()).toEqual([...new Set(known)].sort());
    for (const { means, next } of reference.errors)
      expect([means, next].every((words) => words.endsWith('.'))).toBe(true);
  });

  it('have the statuses with which the server sends them', () => {
    const wrong = reference.errors.filter(
      ({ code, statuses }) =>
        statuses.length > 0 && !statuses.includes(String(ERROR_STATUS[code as ErrorCode])),
    );

    expect(wrong).toEqual([]);
  });
});

describe('the fields of a body', () => {
  it('have their path as name, with the limits of their values', () => {
    const schemas = {
      Name: { type: 'string', maxLength: 5, description: 'What it is called.' },
      Whole: {
        type: 'object',
        required: ['names'],
        properties: { names: { type: 'array', items: { $ref: '#/components/schemas/Name' } } },
      },
    };
    const whole = {
      allOf: [
        { $ref: '#/components/schemas/Whole' },
        {
          properties: {
            parts: { type: 'array', items: { $ref: '#/components/schemas/Whole' }, maxItems: 2 },
          },
        },
      ],
    };

    expect(listFields(whole, schemas)).toEqual([
      { name: 'names', type: 'string[]', required: true, description: '', limits: ['at most 5 characters'] },
      { name: 'parts', type: 'object[]', required: false, description: '', limits: ['at most 2 entries'] },
      {
        name: 'parts[].names',
        type: 'string[]',
        required: true,
        description: '',
        limits: ['at most 5 characters'],
      },
    ]);
  });

  it('are those of all alternatives; required are only those that every alternative requires', () => {
    const one = {
      type: 'object',
      required: ['kind', 'size'],
      properties: { kind: { const: 'box' }, size: { type: 'integer', minimum: 1 } },
    };
    const other = { type: 'object', required: ['kind'], properties: { kind: { const: 'line' } } };

    expect(listFields({ oneOf: [one, other, { type: 'null' }] }, {})).toEqual([
      { name: 'kind', type: 'string', required: true, description: '', limits: ['`box`, `line`'] },
      { name: 'size', type: 'integer', required: false, description: '', limits: ['at least 1'] },
    ]);
  });

  it('are finite if a schema contains itself', () => {
    const schemas = {
      Tree: { type: 'object', properties: { child: { $ref: '#/components/schemas/Tree' } } },
    };

    expect(listFields({ $ref: '#/components/schemas/Tree' }, schemas).length).toBeLessThan(10);
  });
});

describe('formatted JSON', () => {
  it('has the same value, and keeps on one line what fits', () => {
    const examples = reference.endpoints.flatMap(({ responses: answers }) =>
      answers.flatMap(({ content }) => content?.examples ?? []),
    );

    for (const { value } of examples) expect(JSON.parse(formatJson(value))).toEqual(value);
    expect(formatJson({ a: [1, 2], b: {}, c: [] })).toBe('{ "a": [1, 2], "b": {}, "c": [] }');
    expect(formatJson({ long: 'x'.repeat(90), short: { a: 1 } })).toBe(
      `{\n  "long": "${'x'.repeat(90)}",\n  "short": { "a": 1 }\n}`,
    );
  });
});
