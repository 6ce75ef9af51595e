import { describe, expect, it } from 'vitest';
import { flattenContract, serializeContract } from './flatten-contract.ts';
import { loadContract } from './parse-contract.ts';

type Node = Record<string, unknown>;

const { document } = loadContract();
const flattened = JSON.parse(serializeContract(document));

/** Lists all references below a node. */
function referencesIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => (key === '$ref' ? [value] : referencesIn(value)));
}

const at = (node: unknown, ...keys: string[]) =>
  keys.reduce<unknown>((found, key) => Object(found)[key], node);

describe('the flattened contract', () => {
  it('refers to its schemas and to nothing else', () => {
    const references = referencesIn(flattened);

    expect(references.filter((each) => !/^#\/components\/schemas\/\w+$/.test(each))).toEqual([]);
    expect(references.filter((each) => at(flattened, ...each.split('/').slice(1)) === undefined)).toEqual([]);
    expect(Object.keys(flattened.components)).toEqual(['schemas', 'securitySchemes']);
  });

  it('shows a response with its headers and examples where it is used', () => {
    const { responses, headers, examples } = document.components as Record<string, Record<string, Node>>;
    const answer = at(flattened, 'paths', '/api/agents', 'get', 'responses', '200');

    expect(answer).toMatchObject({
      description: responses?.AgentPage?.description,
      headers: { ETag: headers?.ETag, Link: headers?.Link },
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/AgentPage' },
          examples: { empty: examples?.AgentPageEmpty },
        },
      },
    });
  });

  it('shows a parameter and a request body where they are used', () => {
    const { parameters, requestBodies } = document.components as Record<string, Record<string, Node>>;

    expect(at(flattened, 'paths', '/api/agents', 'get', 'parameters', '0')).toEqual(parameters?.SearchText);
    const body = at(flattened, 'paths', '/api/svc/operations/run', 'post', 'requestBody');
    expect(body).toEqual(requestBodies?.RunOperation);
  });

  it('keeps what stands in no component as it is', () => {
    const { components: _all, paths: _paths, webhooks: _webhooks, ...rest } = document;
    const { schemas, securitySchemes } = document.components as Node;

    expect(flattened).toMatchObject({ ...rest, components: { schemas, securitySchemes } });
    expect(Object.keys(flattened)).toEqual(expect.arrayContaining(Object.keys(document)));
  });

  it('is not made of a contract with a reference to nothing', () => {
    const broken = { paths: { '/a': { get: { responses: { 200: { $ref: '#/components/responses/A' } } } } } };

    expect(() => flattenContract({ ...broken, components: {} })).toThrow('#/components/responses/A');
  });
});
