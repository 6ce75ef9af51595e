import { describe, expect, it } from 'vitest';
import { freshRun, KEY, operationError, page, replay } from '../../test/samples.ts';
import { CLOSED_ADDRESS, type Reply, standIn } from '../../test/stand-in.ts';
import { TrustDirectory } from '../client.ts';
import { ConflictError, RateLimitError, ServiceUnavailableError } from '../errors/api-errors.ts';
import { ConnectionError } from '../errors/errors.ts';
import type { TrustDirectoryOptions } from './client-options.ts';

const AT_ONCE = { 'retry-after': '0' };
const run = { operation: 'agent_score', subject: 'example-labs/changelog-agent' } as const;
const registration = {
  repoHostUrl: 'https://github.com/example-labs/changelog-agent',
  name: 'Changelog Agent',
  description: 'Drafts release notes.',
  category: 'coding',
} as const;

const client = (baseUrl: string, options: TrustDirectoryOptions = {}) =>
  new TrustDirectory({ baseUrl, apiKey: KEY, ...options });
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('the call should have failed'),
    (error) => error,
  );
const keysOf = (seen: { body: Record<string, unknown> }[]) => seen.map(({ body }) => body.idempotency_key);

describe('run', () => {
  it.each([408, 429, 500, 502, 503, 504])('is retried after %i with the same key', async (status) => {
    const server = await standIn({ status, headers: AT_ONCE }, { body: freshRun });

    const answer = await client(server.url).operations.run(run);

    expect(answer.meta.attempts).toBe(2);
    expect(new Set(keysOf(server.seen))).toEqual(new Set([answer.meta.idempotencyKey]));
    expect(server.seen[0]?.body).toEqual(server.seen[1]?.body);
  });

  it('is retried while an earlier request with its key runs', async () => {
    const busy = { status: 409, body: operationError('idempotency_in_progress'), headers: AT_ONCE };
    const server = await standIn(busy, busy, { body: freshRun });

    expect(await client(server.url).operations.run(run)).toMatchObject({
      meta: { replayed: false, attempts: 3 },
    });
  });

  it.each([
    [400, 'invalid_request'],
    [401, 'unauthorized'],
    [402, 'insufficient_credits'],
    [403, 'insufficient_scope'],
    [404, 'subject_not_found'],
    [409, 'subject_ambiguous'],
    [413, 'payload_too_large'],
    [422, 'idempotency_key_reused'],
    [501, 'mcp_not_available'],
  ] as const)('is never tried again after %i %s', async (status, code) => {
    const server = await standIn({ status, body: operationError(code), headers: AT_ONCE });

    expect(await failure(client(server.url).operations.run(run))).toMatchObject({
      status,
      code,
      attempts: 1,
    });
    expect(server.seen).toHaveLength(1);
  });

  it.each(['reset', 'cut'] as const)('is retried after a broken connection (%s)', async (instead) => {
    const server = await standIn({ instead }, { body: freshRun });

    const answer = await client(server.url).operations.run(run);

    expect(answer).toMatchObject({ meta: { replayed: false, attempts: 2 } });
    expect(new Set(keysOf(server.seen)).size).toBe(1);
  });

  it('is a replay if the response of a settled attempt was lost', async () => {
    const server = await standIn({ instead: 'cut' }, { body: replay });

    const answer = await client(server.url).operations.run(run);

    expect(answer).toMatchObject({
      result: null,
      ledger_id: replay.ledger_id,
      meta: { replayed: true, attempts: 2 },
    });
  });

  it('sends the given idempotency key on every attempt', async () => {
    const server = await standIn({ status: 503, headers: AT_ONCE }, { body: freshRun });

    const answer = await client(server.url).operations.run({ ...run, idempotency_key: 'order-17' });

    expect(keysOf(server.seen)).toEqual(['order-17', 'order-17']);
    expect(answer.meta.idempotencyKey).toBe('order-17');
  });

  it('fails after two retries with the last response', async () => {
    const server = await standIn({ status: 503, headers: AT_ONCE });

    const error = await failure(client(server.url).operations.run(run));

    expect(error).toBeInstanceOf(ServiceUnavailableError);
    expect(error.attempts).toBe(3);
    expect(server.seen).toHaveLength(3);
  });

  it('fails with a ConnectionError that has the idempotency key', async () => {
    const error = await failure(
      client(CLOSED_ADDRESS).operations.run({ ...run, idempotency_key: 'order-18' }),
    );

    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: 'ECONNREFUSED', attempts: 3, idempotencyKey: 'order-18' });
  });
});

describe('reads', () => {
  it.each([408, 429, 500, 502, 503, 504])('are retried after %i', async (status) => {
    const server = await standIn({ status, headers: AT_ONCE }, { body: page });

    expect(await client(server.url).agents.list({ q: 'browser' })).toEqual(page);
    expect(server.seen.map(({ path }) => path)).toEqual(['/api/agents?q=browser', '/api/agents?q=browser']);
  });

  it.each([400, 404, 409, 501])('are never retried after %i', async (status) => {
    const server = await standIn({
      status,
      body: operationError('subject_ambiguous'),
      headers: AT_ONCE,
    });

    await failure(client(server.url).agents.list());

    expect(server.seen).toHaveLength(1);
  });

  it('are retried after a broken connection', async () => {
    const server = await standIn({ instead: 'reset' }, { body: page });

    expect(await client(server.url).agents.list()).toEqual(page);
  });
});

describe('register', () => {
  it('is retried after 429', async () => {
    const server = await standIn(
      { status: 429, headers: AT_ONCE },
      { status: 201, body: { id: 'AGT-7K2MQ9XD' } },
    );

    expect(await client(server.url).agents.register(registration)).toEqual({ id: 'AGT-7K2MQ9XD' });
  });

  const passing: Reply[] = [
    ...[408, 500, 502, 503, 504].map((status) => ({ status, headers: AT_ONCE })),
    { instead: 'reset' },
    { instead: 'cut', status: 201 },
  ];
  it.each(passing)('is retried with the same key after %j', async (reply) => {
    const server = await standIn(reply, { status: 201, body: { id: 'AGT-7K2MQ9XD' } });

    const { data, meta } = await client(server.url).agents.register(registration).withResponse();

    expect(data).toEqual({ id: 'AGT-7K2MQ9XD' });
    expect(meta.idempotencyKey).toMatch(/^[\da-f-]{36}$/);
    const keys = server.seen.map(({ body }) => (body as { idempotency_key: string }).idempotency_key);
    expect(keys).toEqual([meta.idempotencyKey, meta.idempotencyKey]);
  });

  it("is sent with the caller's key, which the error shows", async () => {
    const server = await standIn({ status: 422, body: { error: 'idempotency_key_reused', status: 422 } });

    const error = await failure(
      client(server.url).agents.register({ ...registration, idempotency_key: 'mine' }),
    );

    expect(error).toMatchObject({ name: 'IdempotencyKeyReusedError', idempotencyKey: 'mine', attempts: 1 });
    expect(server.seen[0]?.body).toMatchObject({ ...registration, idempotency_key: 'mine' });
  });

  it('has a different key for each call', async () => {
    const answer: Reply = { status: 201, body: { id: 'AGT-7K2MQ9XD' } };
    const server = await standIn(answer, answer);
    for (const _ of [1, 2]) await client(server.url).agents.register(registration);

    const [first, second] = server.seen.map(
      ({ body }) => (body as { idempotency_key: string }).idempotency_key,
    );

    expect(first).not.toBe(second);
  });

  it('is retried after a failed connection attempt', async () => {
    const error = await failure(client(CLOSED_ADDRESS).agents.register(registration));

    expect(error).toMatchObject({ name: 'ConnectionError', attempts: 3 });
  });

  it.each([400, 409, 410, 422])('is never retried after %i', async (status) => {
    const server = await standIn({ status, headers: AT_ONCE });

    await failure(client(server.url).agents.register(registration));

    expect(server.seen).toHaveLength(1);
  });
});

describe('waiting', () => {
  it('follows Retry-After', async () => {
    const server = await standIn({ status: 503, headers: { 'retry-after': '1' } }, { body: page });

    await client(server.url).agents.list();

    const [first, second] = server.seen;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(990);
  });

  it('backs off before the first retry without Retry-After', async () => {
    const server = await standIn({ status: 503 }, { body: page });

    await client(server.url).agents.list();

    const [first, second] = server.seen;
    const waitedMs = (second?.at ?? 0) - (first?.at ?? 0);
    // The maximum is tested with retryDelayMs; here it would depend on the machine's load.
    expect(waitedMs).toBeGreaterThan(240);
  });

  it('is not started if the deadline would pass first', async () => {
    const server = await standIn({ status: 429, headers: { 'retry-after': '30' } });
    const startedAt = performance.now();

    const error = await failure(client(server.url, { timeoutMs: 20_000 }).agents.list());

    expect(error).toBeInstanceOf(RateLimitError);
    expect(error.retryAfterMs).toBe(30_000);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

describe('maxRetries', () => {
  it('of 0 disables retries', async () => {
    const server = await standIn({ status: 503, headers: AT_ONCE });

    await failure(client(server.url, { maxRetries: 0 }).agents.list());

    expect(server.seen).toHaveLength(1);
  });

  it('of a call overrides the client’s', async () => {
    const server = await standIn({
      status: 409,
      body: operationError('idempotency_in_progress'),
      headers: AT_ONCE,
    });

    const error = await failure(client(server.url, { maxRetries: 0 }).operations.run(run, { maxRetries: 4 }));

    expect(error).toBeInstanceOf(ConflictError);
    expect(server.seen).toHaveLength(5);
  });
});
