import { describe, expect, it } from 'vitest';
import { directoryError, KEY, operationError } from '../../test/samples.ts';
import { type Reply, standIn } from '../../test/stand-in.ts';
import { TrustDirectory } from '../client.ts';
import * as errors from '../index.ts';

const run = { operation: 'agent_score', subject: 'github-mcp-server', idempotency_key: 'order-1' } as const;

/** Runs an operation that gets this answer, without retries, and returns its error. */
async function errorAfter(reply: Reply) {
  const server = await standIn(reply);
  const client = new TrustDirectory({ baseUrl: server.url, apiKey: KEY, maxRetries: 0 });
  return client.operations.run(run).then(
    () => expect.unreachable('the call should have failed'),
    (error) => error,
  );
}

/** Reads an agent from a service that gives this answer, without retries, and returns the error. */
async function readErrorAfter(reply: Reply) {
  const server = await standIn(reply);
  return new TrustDirectory({ baseUrl: server.url, maxRetries: 0 }).agents.get('AGT-00000000').then(
    () => expect.unreachable('the call should have failed'),
    (error) => error,
  );
}

describe('an error response', () => {
  it.each([
    [400, 'invalid_request', 'BadRequestError', errors.BadRequestError],
    [401, 'key_expired', 'UnauthorizedError', errors.UnauthorizedError],
    [402, 'insufficient_credits', 'InsufficientCreditsError', errors.InsufficientCreditsError],
    [403, 'insufficient_scope', 'ForbiddenError', errors.ForbiddenError],
    [404, 'subject_not_found', 'NotFoundError', errors.NotFoundError],
    [409, 'subject_ambiguous', 'ConflictError', errors.ConflictError],
    [413, 'payload_too_large', 'PayloadTooLargeError', errors.PayloadTooLargeError],
    [415, 'unsupported_media_type', 'UnsupportedMediaTypeError', errors.UnsupportedMediaTypeError],
    [422, 'idempotency_key_reused', 'IdempotencyKeyReusedError', errors.IdempotencyKeyReusedError],
    [429, 'rate_limited', 'RateLimitError', errors.RateLimitError],
    [500, 'internal_error', 'InternalServerError', errors.InternalServerError],
    [501, 'mcp_not_available', 'NotImplementedError', errors.NotImplementedError],
    [502, 'scoring_failed', 'BadGatewayError', errors.BadGatewayError],
    [503, 'unavailable', 'ServiceUnavailableError', errors.ServiceUnavailableError],
  ] as const)('with status %i has its own class', async (status, code, name, ErrorClass) => {
    const error = await errorAfter({ status, body: operationError(code) });

    expect(error).toBeInstanceOf(ErrorClass);
    expect(error).toBeInstanceOf(errors.ApiError);
    expect(error).toBeInstanceOf(errors.TrustDirectoryError);
    expect(error).toMatchObject({ name, status, code, message: `It failed: ${code}.` });
  });

  it('410 is a GoneError', async () => {
    const error = await readErrorAfter({ status: 410, body: directoryError(410, 'gone') });

    expect(error).toBeInstanceOf(errors.GoneError);
    expect(error).toMatchObject({ name: 'GoneError', status: 410, code: 'gone' });
  });

  it.each([405, 408, 418, 504])('with status %i, which has no subclass, is an ApiError', async (status) => {
    expect(await errorAfter({ status })).toMatchObject({ name: 'ApiError', status });
  });

  it('gives receipt, request id, Retry-After, idempotency key and attempts', async () => {
    const error = await errorAfter({
      status: 502,
      body: operationError('scoring_failed', { ledger_id: '01a1f83c-1b90-7a2e-8c57-93e1d04bf6a8' }),
      headers: { 'x-request-id': 'request-7', 'retry-after': '3' },
    });

    expect(error).toMatchObject({
      ledgerId: '01a1f83c-1b90-7a2e-8c57-93e1d04bf6a8',
      requestId: 'request-7',
      retryAfterMs: 3000,
      idempotencyKey: 'order-1',
      attempts: 1,
      candidates: [],
    });
  });

  it('gives the candidates of an ambiguous subject', async () => {
    const candidates = [
      { canonical_id: 'a', type: 'skill', name: 'x', repository: 'a/x', public_path: '/s/a/x' },
    ];

    const error = await errorAfter({
      status: 409,
      body: operationError('subject_ambiguous', { candidates }),
    });

    expect(error.candidates).toEqual(candidates);
  });

  it('has null for missing members', async () => {
    expect(await readErrorAfter({ status: 500 })).toMatchObject({
      code: null,
      requestId: null,
      ledgerId: null,
      retryAfterMs: null,
      idempotencyKey: null,
    });
  });
});

describe('the body of an error response', () => {
  it('is read in the directory’s format, where `error` is the code', async () => {
    const error = await readErrorAfter({ status: 404, body: directoryError(404, 'not_found') });

    expect(error).toMatchObject({ code: 'not_found', message: 'It failed: not_found.' });
  });

  it('is read in the format of operations, where `error` is the message, with and without a code', async () => {
    const { code: _, ...withoutCode } = operationError('scoring_failed') as Record<string, unknown>;

    const error = await errorAfter({ status: 502, body: withoutCode });

    expect(error).toMatchObject({ code: null, message: 'It failed: scoring_failed.' });
  });

  it('is read as problem+json', async () => {
    const problem = {
      type: 'https://example.com/p',
      title: 'Not Found',
      status: 404,
      detail: 'No such route',
    };
    const headers = { 'content-type': 'application/problem+json' };

    expect(await readErrorAfter({ status: 404, body: problem, headers })).toMatchObject({
      code: null,
      message: 'No such route',
    });
  });

  it.each([
    ['empty', ''],
    ['a page', '<h1>Bad gateway</h1>'],
    ['cut JSON', '{"error":'],
    ['a list', '[1]'],
    ['null', 'null'],
    ['of other types', '{"error":1,"message":{},"code":[],"candidates":"none","ledger_id":7}'],
  ])('may be %s', async (_, body) => {
    expect(await errorAfter({ status: 502, body })).toMatchObject({
      name: 'BadGatewayError',
      message: 'Unexpected response: 502 application/json.',
      code: null,
      ledgerId: null,
      candidates: [],
    });
  });
});

describe('a success that violates the contract', () => {
  it.each([
    ['a page', '<h1>Welcome to our network</h1>'],
    ['empty', ''],
    ['cut JSON', '{"ok":true'],
    ['a list', '[]'],
    ['null', 'null'],
    ['another object', '{"status":"ok"}'],
  ])('(%s) is an error, never a result', async (_, body) => {
    const error = await errorAfter({ body, headers: { 'x-request-id': 'request-8' } });

    expect(error).toBeInstanceOf(errors.UnexpectedAnswerError);
    expect(error).toMatchObject({
      status: 200,
      requestId: 'request-8',
      idempotencyKey: 'order-1',
      attempts: 1,
    });
  });

  it('is an error of a read too', async () => {
    expect(await readErrorAfter({ status: 204 })).toMatchObject({
      name: 'UnexpectedAnswerError',
      status: 204,
    });
    expect(await readErrorAfter({ body: { data: [] } })).toMatchObject({ name: 'UnexpectedAnswerError' });
  });
});
