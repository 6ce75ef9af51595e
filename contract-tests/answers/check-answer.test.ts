import { describe, expect, it } from 'vitest';
import { problemsOf, type ReceivedAnswer } from './check-answer.ts';
import { OPERATIONS, operationNamed, operationOf } from './documented-answers.ts';

const LIMITS = { 'x-ratelimit-limit': '120', 'x-ratelimit-remaining': '119', 'x-ratelimit-reset': '2' };
const COMMON = {
  'x-request-id': 'a-1',
  'cache-control': 'no-store',
  'content-type': 'application/json',
  ...LIMITS,
};
const NOT_FOUND = { error: 'not_found', message: 'No agent or skill has this id.', status: 404 };

function received(
  status: number,
  body: unknown,
  headers: Record<string, string | undefined> = {},
): ReceivedAnswer {
  const all = Object.entries({ ...COMMON, ...headers }).filter(([, value]) => value !== undefined);
  return { status, headers: new Headers(all as [string, string][]), body: JSON.stringify(body) };
}

describe('the check of an answer', () => {
  const getAgent = operationNamed('getAgent');

  it('has nothing against an answer as the contract documents it, additive fields and headers included', () => {
    const answer = received(404, { ...NOT_FOUND, hint: 'new' }, { 'x-served-by': 'one' });

    expect(problemsOf(getAgent, answer)).toEqual([]);
  });

  it.each([
    ['an undocumented status', received(418, NOT_FOUND), 'the status 418 is not documented'],
    [
      'a missing field',
      received(404, { ...NOT_FOUND, message: undefined }),
      "body must have required property 'message'",
    ],
    [
      'a value of another type',
      received(404, { ...NOT_FOUND, status: '404' }),
      'body/status must be integer',
    ],
    [
      'an unknown error code',
      received(404, { ...NOT_FOUND, error: 'vanished' }),
      'body/error must be equal to one of',
    ],
    [
      'a missing header',
      received(404, NOT_FOUND, { 'x-request-id': undefined }),
      'the header x-request-id is missing',
    ],
    [
      'a malformed header',
      received(404, NOT_FOUND, { 'x-ratelimit-limit': 'many' }),
      'header x-ratelimit-limit must be integer',
    ],
    [
      'another content type',
      received(404, NOT_FOUND, { 'content-type': 'text/html' }),
      'the content type is text/html',
    ],
    ['a body that is not JSON', { ...received(404, NOT_FOUND), body: '<h1>' }, 'the body is not JSON: <h1>'],
    ['no body', { ...received(404, NOT_FOUND), body: '' }, 'the body is not JSON: '],
  ])('names %s', (_name, answer, problem) => {
    expect(problemsOf(getAgent, answer)).toEqual([expect.stringContaining(problem)]);
  });

  it('names a body where none is documented', () => {
    const headers = { etag: 'W/"a"', 'cache-control': 'public, no-cache' };

    expect(problemsOf(getAgent, received(304, {}, headers))).toEqual([
      'there is a body where none is documented',
    ]);
  });

  it('lets only the 409 do without Retry-After', () => {
    const run = operationNamed('runOperation');
    const failure = { ok: false, operation: null, channel: null, error: 'No.', code: 'unavailable' };

    expect(problemsOf(run, received(503, failure))).toEqual(['the header retry-after is missing']);
    expect(problemsOf(run, received(409, failure)).join()).not.toContain('retry-after');
  });
});

describe('the operations of the contract', () => {
  it('are found by method and path, a fixed path before one with a parameter', () => {
    expect(operationOf('POST', '/api/agents/register')?.operationId).toBe('registerAgent');
    expect(operationOf('GET', '/api/agents/AGT-00000000')?.operationId).toBe('getAgent');
    expect(operationOf('GET', '/api/agents/AGT-00000000/lineage')?.operationId).toBe('getAgentLineage');
    expect(operationOf('GET', '/api/agents/a/b')).toBeUndefined();
  });

  it('document the statuses that every operation has', () => {
    for (const { answers } of OPERATIONS) {
      expect([...answers.keys()]).toEqual(expect.arrayContaining([400, 429, 500, 503]));
    }
  });
});
