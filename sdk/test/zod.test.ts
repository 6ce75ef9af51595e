import { describe, expect, expectTypeOf, it } from 'vitest';
import type * as z from 'zod';
import { at, documentedResponses } from '../../contract-tests/contract-examples.ts';
import { expectEveryRow } from '../../server/testing/every-row.ts';
import * as validators from '../src/validators.ts';
import { agent, freshRun, page } from './samples.ts';

const byName = new Map<string, z.ZodType>(Object.entries(validators));

/** All example bodies of the contract with the validator of their schema. */
const BODIES = documentedResponses().flatMap(({ operation, status, media }) => {
  if (media === null) return [];
  const { $ref } = at(media.at).node.schema as { $ref: string };
  const [name = ''] = $ref.split('/').slice(-1);
  const validator = `${name.charAt(0).toLowerCase()}${name.slice(1)}Schema`;
  return Object.entries(media.examples).map(([example, body]) => ({
    name: `${operation} ${status} ${example}`,
    body,
    validator,
  }));
});

describe('validators', () => {
  it('accept every example of the contract unchanged', async () => {
    await expectEveryRow(
      BODIES,
      ({ name }) => name,
      ({ body, validator }) => {
        expect(byName.get(validator)?.parse(body)).toEqual(body);
      },
    );
  });

  it('keep unknown fields at any depth', () => {
    const body = { ...page, data: [{ ...agent, badge: 'new', creator: { ...agent.creator, since: 2026 } }] };

    expect(validators.agentPageSchema.parse(body)).toEqual(body);
  });

  it('keep unknown fields in a run, which combines schemas', () => {
    const resolved_subject = { ...freshRun.result.resolved_subject, badge: 'new' };
    const body = { ...freshRun, note: 'new', result: { ...freshRun.result, resolved_subject } };

    expect(validators.operationResponseSchema.parse(body)).toEqual(body);
  });

  it('accept unknown enum values', () => {
    const body = { ...agent, type: 'workflow', tier: 'stellar', category: 'gardening' };

    expect(validators.agentSchema.parse(body)).toEqual(body);
  });

  it.each([
    ['a missing field', { ...agent, name: undefined }, 'name'],
    ['a value of another type', { ...agent, trustScore: '60.8' }, 'trustScore'],
    ['a score out of range', { ...agent, confidence: 101 }, 'confidence'],
    ['a time that is none', { ...agent, listedAt: 'yesterday' }, 'listedAt'],
  ])('refuse %s, and say where it is', (_what, body, field) => {
    const { error } = validators.agentSchema.safeParse(body);

    expect(error?.issues.map(({ path }) => path)).toEqual([[field]]);
  });

  it('reject unknown fields in requests, like the service', () => {
    const body = { operation: 'agent_score', subject: 'a/b', idempotency_key: 'order-1' };

    expect(validators.runOperationRequestSchema.safeParse(body).success).toBe(true);
    expect(validators.runOperationRequestSchema.safeParse({ ...body, subjekt: 'a/b' }).success).toBe(false);
  });

  it('infer the types of what they accept', () => {
    const read = validators.agentSchema.parse(agent);

    expectTypeOf(read.trustScore).toEqualTypeOf<number | null>();
    expectTypeOf(read.tier).toEqualTypeOf<string>();
    expectTypeOf(read.badge).toEqualTypeOf<unknown>();
  });
});
