import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { AnsweredKeys } from './answered-keys.ts';
import { type AskedRequest, METERED_PATH, planAnswer } from './plan-answer.ts';

const body = { operation: 'skill_score', subject: 'upstash/context7', idempotency_key: 'k' };

function asked(changes: object = {}, request: Partial<AskedRequest> = {}): AskedRequest {
  return {
    method: 'POST',
    url: METERED_PATH,
    authorization: 'Bearer a',
    cookie: undefined,
    prefer: undefined,
    body: { ...body, ...changes },
    ...request,
  };
}

/** The keys of a mock that has answered these requests with a result. */
function afterAnswering(...requests: AskedRequest[]): AnsweredKeys {
  const answered = new AnsweredKeys();
  for (const request of requests) {
    const { call } = planAnswer(request, answered);
    if (!call) throw new Error('the request is no call');
    answered.note(call);
  }
  return answered;
}

describe('a metered call to the mock', () => {
  const contract = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'));
  const operations: string[] = contract.components.schemas.Operation.enum;
  const examples = Object.keys(
    contract.components.responses.OperationAnswered.content['application/json'].examples,
  );

  it.each(operations)('%s is answered by the example of that name, which the contract has', (operation) => {
    const plan = planAnswer(asked({ operation }), new AnsweredKeys());

    expect(plan.prefer).toBe(`code=200, example=${operation}`);
    expect(examples).toContain(operation);
  });

  it('with an answered key is a replay, whatever the spaces around its subject', () => {
    const answered = afterAnswering(asked());

    expect(planAnswer(asked({ subject: ` ${body.subject} ` }), answered).prefer).toBe(
      'code=200, example=replay',
    );
    expect(examples).toContain('replay');
  });

  it.each([
    ['another operation', { operation: 'agent_score' }],
    ['another subject', { subject: 'upstash/other' }],
  ])('with an answered key and %s is refused', (_name, changes) => {
    expect(planAnswer(asked(changes), afterAnswering(asked())).prefer).toBe('code=422');
  });

  it.each([
    ['another bearer', asked({}, { authorization: 'Bearer b' })],
    ['another key', asked({ idempotency_key: 'l' })],
  ])('with %s is a call of its own', (_name, request) => {
    expect(planAnswer(request, afterAnswering(asked())).prefer).toBe('code=200, example=skill_score');
  });

  it('that asks for the price gets it, whatever became of its key', () => {
    expect(planAnswer(asked({ dry_run: true }), afterAnswering(asked())).prefer).toBe(
      'code=200, example=dry_run',
    );
    expect(examples).toContain('dry_run');
  });

  it('on the reserved channel is a 501, and gets a credential where it has none', () => {
    const answered = afterAnswering(asked());

    const keyed = planAnswer(asked({ channel: 'mcp' }), answered);
    const unkeyed = planAnswer(asked({ channel: 'mcp' }, { authorization: undefined }), answered);

    expect(keyed).toMatchObject({ prefer: 'code=501' });
    expect(keyed).not.toHaveProperty('authorization');
    expect(unkeyed).toMatchObject({
      prefer: 'code=501',
      authorization: expect.stringMatching(/^Bearer \S+$/),
    });
  });

  it.each([
    ['a Prefer header', { prefer: 'code=402' }],
    ['a query parameter of Prism', { url: `${METERED_PATH}?__code=402` }],
  ])('whose caller picks the answer by %s is not interfered with', (_name, request) => {
    for (const changes of [{}, { dry_run: true }, { channel: 'mcp' }]) {
      expect(planAnswer(asked(changes, request), afterAnswering(asked()))).not.toHaveProperty('prefer');
    }
  });

  it.each([
    ['no JSON', undefined],
    ['an array', []],
    ['null', null],
    ['a field of another type', { ...body, subject: 7 }],
    ['a field missing', { operation: 'agent_score', subject: 'a/b' }],
    ['an operation that no header may hold', { ...body, operation: 'x\r\ny' }],
  ])('whose body is or has %s is left to the contract', (_name, broken) => {
    expect(planAnswer(asked({}, { body: broken }), new AnsweredKeys())).toEqual({});
  });
});

it.each([
  ['another path', { url: '/api/agents/register' }],
  ['another method', { method: 'PUT' }],
])('a request with %s is left to Prism', (_name, request) => {
  expect(planAnswer(asked({}, request), new AnsweredKeys())).toEqual({});
});
