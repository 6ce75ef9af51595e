import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { expectEveryRow } from '../server/testing/every-row.ts';
import { allExamples, at, contract, documentedResponses, type Example } from './contract-examples.ts';

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
addFormats.default(ajv);
ajv.addVocabulary(Object.keys(contract)); // the document itself is no schema: its own keys are let through
ajv.addSchema(contract, 'contract', undefined, false);

const responses = documentedResponses();
const named = responses.map((response) => ({
  ...response,
  name: `${response.operation} ${response.status}`,
}));
const nameOf = ({ name }: { name: string }) => name;
const bodies = named.flatMap((response) =>
  Object.entries(response.media?.examples ?? {}).map(([example, value]) => ({
    ...response,
    name: `${response.name} ${example}`,
    body: value as Record<string, unknown>,
  })),
);

describe('examples of the contract', () => {
  it('fit their schemas', async () => {
    const check = ({ schema, value }: Example) => {
      const validate = ajv.getSchema(`contract${schema}`);

      validate?.(value);

      expect(validate).toBeDefined();
      expect(validate?.errors ?? []).toEqual([]);
    };

    await expectEveryRow(allExamples(), (example) => example.at, check);
  });

  it('exist for every answer with a body', async () => {
    await expectEveryRow(named, nameOf, ({ status, media }) => {
      const count = Object.keys(media?.examples ?? {}).length;

      expect(['204', '304'].includes(status) ? media === null : count > 0).toBe(true);
    });
  });

  it('exist for every header', async () => {
    await expectEveryRow(named, nameOf, ({ headers }) => {
      const without = headers.filter((header) => at(header).node.example === undefined);

      expect(without).toEqual([]);
    });
  });
});

it('is read alike by the parser of the mock server', () => {
  const mockServer = createRequire(
    createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json'),
  );
  const { parse } = mockServer('@stoplight/yaml');

  const read = parse(readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8'));

  expect(JSON.parse(JSON.stringify(read))).toEqual(contract);
});

describe('errors of the contract', () => {
  const codes = (name: string) => at(`#/components/schemas/${name}`).node.enum;
  const errors = bodies.filter((body) => body.path.startsWith('/api/') && Number(body.status) >= 400);
  const underOperations = errors.filter((error) => error.path.startsWith('/api/svc/'));
  const elsewhere = errors.filter((error) => !error.path.startsWith('/api/svc/'));

  it('carry a code of the operations catalogue under /api/svc/', async () => {
    await expectEveryRow(underOperations, nameOf, ({ body }) => {
      expect(codes('OperationErrorCode')).toContain(body.code);
      expect(body.ok).toBe(false);
    });
  });

  it('carry a code of the directory catalogue and their own status elsewhere', async () => {
    await expectEveryRow(elsewhere, nameOf, ({ body, status }) => {
      expect(codes('DirectoryErrorCode')).toContain(body.error);
      expect(String(body.status)).toBe(status);
    });
  });
});

describe('scores of the contract', () => {
  interface Result {
    scores: { trustScore: number };
    contributions: { points: number; evidence: number }[];
  }
  const scored = bodies.filter(({ operation, body }) => operation === 'runOperation' && body.result);

  it('are the sums of their contributions', async () => {
    await expectEveryRow(scored, nameOf, ({ body }) => {
      const { scores, contributions } = body.result as Result;
      const evidence = contributions.reduce((sum, { evidence }) => sum + evidence, 0);
      const points = contributions.reduce((sum, { points }) => sum + points, 0);

      const prior = (100 * 5 * 0.35) / (5 + evidence);

      expect(Math.abs(points + prior - scores.trustScore)).toBeLessThan(0.1);
    });
  });
});
