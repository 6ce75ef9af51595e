import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { KEY, page } from '../../test/samples.ts';
import { standIn } from '../../test/stand-in.ts';
import { TrustDirectory } from '../client.ts';
import { AbortError, TimeoutError } from '../errors/errors.ts';
import { resolveOptions } from './client-options.ts';

const run = {
  operation: 'agent_score',
  subject: 'example-labs/changelog-agent',
  idempotency_key: 'order-1',
} as const;
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('the call should have failed'),
    (error) => error,
  );
/** Measures the milliseconds until a call fails, and returns them with its error. */
async function timed(call: () => Promise<unknown>) {
  const startedAt = performance.now();
  const error = await failure(call());
  return { error, tookMs: performance.now() - startedAt };
}

describe('the time limit', () => {
  it('is 50 seconds by default', () => {
    expect(resolveOptions({ baseUrl: 'https://trust.example' })).toMatchObject({
      timeoutMs: 50_000,
      maxRetries: 2,
    });
  });

  it('ends a call without a response, with the idempotency key', async () => {
    const server = await standIn({ instead: 'never' });
    const client = new TrustDirectory({ baseUrl: server.url, apiKey: KEY, timeoutMs: 150 });

    const { error, tookMs } = await timed(() => client.operations.run(run));

    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ attempts: 1, idempotencyKey: 'order-1' });
    expect(tookMs).toBeGreaterThan(140);
    expect(tookMs).toBeLessThan(10_000);
  });

  it('includes all attempts and waits', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const busy = { status: 503, headers: { 'retry-after': '1' } };
    let calls = 0;
    const fetch = async () => {
      calls += 1;
      return calls < 4 ? new Response(null, busy) : new Promise<Response>(() => {});
    };
    const client = new TrustDirectory({
      baseUrl: 'https://trust.example',
      fetch,
      maxRetries: 9,
      timeoutMs: 5_000,
    });

    const failed = failure(client.agents.list());
    await vi.advanceTimersByTimeAsync(5_000);

    const error = await failed;
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ attempts: 4, elapsedMs: 5_000 });
  });

  it('of a call overrides the client’s', async () => {
    const server = await standIn({ instead: 'never' });
    const client = new TrustDirectory({ baseUrl: server.url });

    const { error, tookMs } = await timed(() => client.agents.list({}, { timeoutMs: 100 }));

    expect(error).toBeInstanceOf(TimeoutError);
    expect(tookMs).toBeLessThan(10_000);
  });

  it('holds for a fetch that ignores signals', async () => {
    const client = new TrustDirectory({
      baseUrl: 'https://trust.example',
      fetch: () => new Promise(() => {}),
      timeoutMs: 100,
    });

    const { error, tookMs } = await timed(() => client.agents.list());

    expect(error).toBeInstanceOf(TimeoutError);
    expect(tookMs).toBeLessThan(10_000);
  });

  it('may exceed the maximum of timers', async () => {
    const server = await standIn({ body: page });

    const answer = new TrustDirectory({ baseUrl: server.url, timeoutMs: Infinity }).agents.list();

    await expect(answer).resolves.toEqual(page);
  });
});

describe('the caller’s signal', () => {
  it('ends a call during a wait, without another attempt', async () => {
    const server = await standIn({ status: 503, headers: { 'retry-after': '2' } }, { body: page });
    const controller = new AbortController();
    const reason = new Error('the user left');
    const call = timed(() =>
      new TrustDirectory({ baseUrl: server.url }).agents.list({}, { signal: controller.signal }),
    );

    await expect.poll(() => server.seen).toHaveLength(1);
    setTimeout(() => controller.abort(reason), 50);
    const { error, tookMs } = await call;

    expect(error).toBeInstanceOf(AbortError);
    expect(error).toMatchObject({ attempts: 1, cause: reason });
    expect(tookMs).toBeLessThan(10_000);
    await new Promise((resolve) => setTimeout(resolve, 2_200));
    expect(server.seen).toHaveLength(1);
  });

  it('ends a call during an attempt, with the idempotency key', async () => {
    const server = await standIn({ instead: 'never' });
    const client = new TrustDirectory({ baseUrl: server.url, apiKey: KEY });

    const controller = new AbortController();

    const call = timed(() => client.operations.run(run, { signal: controller.signal }));
    await expect.poll(() => server.seen).toHaveLength(1);
    const reason = new DOMException('too slow', 'TimeoutError');
    controller.abort(reason);
    const { error, tookMs } = await call;

    expect(error).toBeInstanceOf(AbortError);
    expect(error).toMatchObject({ attempts: 1, idempotencyKey: 'order-1', cause: reason });
    expect(tookMs).toBeLessThan(10_000);
    expect(server.seen).toHaveLength(1);
  });

  it('sends nothing if already aborted', async () => {
    const server = await standIn({ body: page });

    const error = await failure(
      new TrustDirectory({ baseUrl: server.url }).agents.list({}, { signal: AbortSignal.abort() }),
    );

    expect(error).toBeInstanceOf(AbortError);
    expect(error.attempts).toBe(0);
    expect(server.seen).toHaveLength(0);
  });

  it('does not call a fetch that ignores signals if already aborted', async () => {
    const fetch = vi.fn(async () => Response.json(page));

    await failure(
      new TrustDirectory({ baseUrl: 'https://trust.example', fetch }).agents.list(
        {},
        { signal: AbortSignal.abort() },
      ),
    );

    expect(fetch).not.toHaveBeenCalled();
  });

  it('has no listener after the call', async () => {
    const server = await standIn({ body: page });
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');

    await new TrustDirectory({ baseUrl: server.url }).agents.list({}, { signal });

    expect(added.mock.calls.map(([, listener]) => listener)).toEqual(
      removed.mock.calls.map(([, listener]) => listener),
    );
    expect(added).toHaveBeenCalledOnce();
  });
});
