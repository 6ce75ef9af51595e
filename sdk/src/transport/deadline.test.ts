import { describe, expect, it, vi } from 'vitest';
import { KEY, page } from '../../test/samples.ts';
import { standIn } from '../../test/stand-in.ts';
import { TrustDirectory } from '../client.ts';
import { AbortError, TimeoutError } from '../errors/errors.ts';
import { readSettings } from './settings.ts';

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
/** Milliseconds that a call took to fail, and its error. */
async function timed(call: () => Promise<unknown>) {
  const startedAt = performance.now();
  const error = await failure(call());
  return { error, tookMs: performance.now() - startedAt };
}

describe('the time limit', () => {
  it('is 50 seconds by default', () => {
    expect(readSettings({ baseUrl: 'https://trust.example' })).toMatchObject({
      timeoutMs: 50_000,
      maxRetries: 2,
    });
  });

  it('ends a call that gets no answer, and tells the key to go on with', async () => {
    const server = await standIn({ instead: 'never' });
    const client = new TrustDirectory({ baseUrl: server.url, apiKey: KEY, timeoutMs: 150 });

    const { error, tookMs } = await timed(() => client.operations.run(run));

    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ attempts: 1, idempotencyKey: 'order-1' });
    expect(tookMs).toBeGreaterThan(140);
    expect(tookMs).toBeLessThan(10_000);
  });

  it('is one for all attempts and waits', async () => {
    const server = await standIn({ status: 503, headers: { 'retry-after': '0' } });
    const client = new TrustDirectory({ baseUrl: server.url, maxRetries: 1e6, timeoutMs: 300 });

    const { error, tookMs } = await timed(() => client.agents.list());

    expect(error.attempts).toBeGreaterThan(2);
    expect(tookMs).toBeLessThan(10_000);
  });

  it('of a call wins over the client', async () => {
    const server = await standIn({ instead: 'never' });
    const client = new TrustDirectory({ baseUrl: server.url });

    const { error, tookMs } = await timed(() => client.agents.list({}, { timeoutMs: 100 }));

    expect(error).toBeInstanceOf(TimeoutError);
    expect(tookMs).toBeLessThan(10_000);
  });

  it('holds for a fetch that takes no notice of signals', async () => {
    const client = new TrustDirectory({
      baseUrl: 'https://trust.example',
      fetch: () => new Promise(() => {}),
      timeoutMs: 100,
    });

    const { error, tookMs } = await timed(() => client.agents.list());

    expect(error).toBeInstanceOf(TimeoutError);
    expect(tookMs).toBeLessThan(10_000);
  });

  it('may be longer than timers can count', async () => {
    const server = await standIn({ body: page });

    const answer = new TrustDirectory({ baseUrl: server.url, timeoutMs: Infinity }).agents.list();

    await expect(answer).resolves.toEqual(page);
  });
});

describe('the caller’s signal', () => {
  it('ends a call in the middle of a wait, which is not followed by another attempt', async () => {
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

  it('ends a call in the middle of an attempt, and the key is told', async () => {
    const server = await standIn({ instead: 'never' });
    const client = new TrustDirectory({ baseUrl: server.url, apiKey: KEY });

    const { error, tookMs } = await timed(() =>
      client.operations.run(run, { signal: AbortSignal.timeout(100) }),
    );

    expect(error).toBeInstanceOf(AbortError);
    expect(error).toMatchObject({ attempts: 1, idempotencyKey: 'order-1' });
    expect(error.cause).toMatchObject({ name: 'TimeoutError' });
    expect(tookMs).toBeLessThan(10_000);
    expect(server.seen).toHaveLength(1);
  });

  it('that was aborted before lets nothing be sent', async () => {
    const server = await standIn({ body: page });

    const error = await failure(
      new TrustDirectory({ baseUrl: server.url }).agents.list({}, { signal: AbortSignal.abort() }),
    );

    expect(error).toBeInstanceOf(AbortError);
    expect(error.attempts).toBe(0);
    expect(server.seen).toHaveLength(0);
  });

  it('that was aborted before keeps a fetch that takes no notice of signals from being called', async () => {
    const fetch = vi.fn(async () => Response.json(page));

    await failure(
      new TrustDirectory({ baseUrl: 'https://trust.example', fetch }).agents.list(
        {},
        { signal: AbortSignal.abort() },
      ),
    );

    expect(fetch).not.toHaveBeenCalled();
  });

  it('is let go of when the call is over', async () => {
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
